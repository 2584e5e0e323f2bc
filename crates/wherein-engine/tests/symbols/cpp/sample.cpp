// Orders of a shop.
#include <string>
#define SHOP_API
#define CHECK(x) check(x)

namespace shop {

constexpr int kLimit = 3;
static std::string names[2];
using Id = unsigned long;
typedef std::map<Id, int> Index;

/// What can be sold.
class Item : public Base {
 public:
  explicit Item(int price) : price_(price) {}
  Item(const Item&) = delete;
  virtual ~Item();
  virtual int price() const = 0;
  Item& operator=(const Item& other);
  bool operator==(const Item& other) const { return Equals<int>(other); }
  operator bool() const { return true; }
  template <typename T>
  T convert(T value);
  [[nodiscard]] static Item* make(int price);
  int& count() { return count_; }

 private:
  enum class State { kNew, kSold = 2 };
  struct Part {
    int width;
  };
  using Parts = std::vector<Part>;
  int price_ = 0;
  int* count_, other_;
  std::function<void(int)> on_sold_;
};

/// Runs it.
class SHOP_API Engine final : public Base {
 public:
  SHOP_INLINE Engine(int x) : x_(x) {}
  void lock() SHOP_LOCKED(mu_) { mu_.lock(); }

 private:
  int x_ SHOP_GUARDED_BY(mu_);
};

// Exported.
SHOP_EXPORT Item start(int x);
SHOP_EXPORT Item start(int x) { return x; }

template <class T>
struct Box {
  T value;
  void put(T t);
};

template <>
struct Box<int> {
  int number;
};

/** Puts it in. */
template <class T>
void Box<T>::put(T t) {
  auto local = [&](int x) { return this->convert<int>(x); };
  value = local(std::move(t));
}

Item::~Item() = default;
Item* Item::make(int price) { return new Item(price); }
int Item::count_ = 0;

template <typename T>
concept Sortable = requires(T a) { a < a; };

union Value { int whole; float part; };
typedef struct { int x; } Point;

namespace {
int helper(int n);
inline int helper(int n) { return shop::detail::run<int>(n) + CHECK(n); }
}  // namespace

const std::string& title() { return Names::get(R"(raw (text))"); }
bool operator<(const Item& a, const Item& b) { return a.price() < b.price(); }
}  // namespace shop

shop::Item::Item(const shop::Item& other) { print("copied", 'c'); }
shop::Item::operator int() const { return Point{1}.x; }

extern "C" int shop_open(void) { return 0; }

// 수주를 찾는다.
int 찾기(int 번호) { return 번호; }

TEST_F(ItemTest, SellsOnce) {
  EXPECT_EQ(1, item.price());
}
