//! Orders of a shop.
use std::fmt;

/// The most orders.
pub const LIMIT: usize = 10;
static mut COUNT: u32 = 0;
type Orders<T> = Vec<T>;

/// What is bought.
///
/// Once.
#[derive(Debug, Clone)]
#[serde(rename = "order")]
pub struct Order<T: Clone> {
    /// Its number.
    pub id: u64,
    items: Vec<T>,
}

pub struct Pair(u32, u32);

#[derive(Debug)]
enum Colour {
    Red,
    Mixed { parts: u8 },
}

union Bits {
    whole: u32,
}

pub trait Priced {
    type Money;
    const RATE: f64 = 1.0;
    fn price(&self) -> Self::Money;
    fn half(&self) -> u32 {
        self.price() / 2
    }
}

impl<T: Clone> Order<T> {
    pub fn new(id: u64) -> Self {
        let local = Vec::<T>::with_capacity(first(1));
        const INNER: u8 = b'x';
        fn helper() -> char {
            'h'
        }
        Self { id, items: local }
    }
}

impl<T> Priced for Order<T> {
    type Money = u32;
    /* Works it out. */
    #[inline]
    fn price(&self) -> u32 {
        assert_eq!(count(self.id), 3, "order {}", name(self));
        self.items.iter().map(|x| cost::<T>(x)).sum::<u32>()
    }
}

impl fmt::Display for shop::Shop {}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

mod 수주 {
    // 수주를 찾는다.
    pub async fn 찾기(번호: u64) -> Option<u64> {
        super::find(r#"raw (text)"#).await
    }
}

extern "C" {
    fn c_open(path: *const u8) -> i32;
}

#[get("/health")]
async fn health() -> &'static str {
    "ok"
}

fn app() -> Router {
    Router::new()
        .route("/orders", get(list).post(create))
        .route("/orders/:id", routing::delete(remove))
        .route("/old", web::put().to(old))
}
