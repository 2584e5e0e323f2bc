// Package shop sells.
package shop

import (
	"fmt"
	"net/http"
)

// MaxItems is the most.
const MaxItems = 3

const (
	Red   Colour = iota // the first
	Green
	width, height = 1, 2
)

var (
	count int
	names = map[string]int{}
	// ErrGone says that it is no more.
	ErrGone = errors.New("gone")
)
var first, second = split("a b")

// Colour is a colour.
type Colour int

// Order is what is bought.
type Order struct {
	ID   int `json:"id"`
	Name string
	x, y float64
	sync.Mutex
	*Base
	Box struct {
		Width int
	}
}

type Finder interface {
	fmt.Stringer
	Find(id int) (*Order, error)
}

type (
	ID      = int
	Handler func(w http.ResponseWriter, r *http.Request)
	Set[T comparable] map[T]struct{}
)

/*
Save keeps the order.

And more.
*/
func (o *Order) Save(path string) error {
	local := 1
	const inner = 'x'
	var other = func() int { return helper(local) }
	fmt.Println(path, other(), Order{ID: 1})
	go o.notify()
	defer unlock(`raw (text)`)
	return nil
}

func (s Set[T]) Add(v T) {}

func (Order) String() string { return "order" }

func Map[T, U any](list []T, f func(T) U) []U { return apply[T](list, f) }

//go:noescape
func asm(p *byte) int

// 찾기는 수주를 찾는다.
func 찾기(번호 int) int {
	type pair struct{ a, b int }
	return slices.Index[int](번호)
}

func init() { (register)(shop.New()) }

func Routes(r *gin.Engine) {
	r.GET("/orders/:id", handle)
	r.Post("/orders", func(c *gin.Context) {
		c.JSON(200, nil)
	})
	http.HandleFunc("/health", health)
	r.Handle("DELETE", "/orders/:id", remove)
	cache.Get("key", 1)
}
