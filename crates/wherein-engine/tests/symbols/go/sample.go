// Package shop sells.
package shop

import "fmt"

// MaxItems is the most.
const MaxItems = 3

var (
	count int
	names = map[string]int{}
)

// Order is what is bought.
type Order struct {
	ID   int
	Name string
}

type Finder interface {
	Find(id int) (*Order, error)
}

type ID = int

// Save keeps the order.
func (o *Order) Save(path string) error {
	local := 1
	fmt.Println(path, local)
	return nil
}

func (s Set[T]) Add(v T) {}

func Routes(r *gin.Engine) {
	r.GET("/orders/:id", handle)
	r.Post("/orders", func(c *gin.Context) {
		c.JSON(200, nil)
	})
	cache.Get("key", 1)
}
