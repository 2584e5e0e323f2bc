//! The files of the shop.

use super::corpus::Corpus;

/// Writes them.
pub(crate) fn write(corpus: &Corpus) {
    for (path, text) in PLAIN {
        corpus.write(path, text);
    }
    odd(corpus);
    for (idx, name) in NOUNS.iter().enumerate() {
        corpus.write(&format!("src/stock/{}.rs", name.to_lowercase()), module(idx, name));
    }
}

const NOUNS: [&str; 9] =
    ["Basket", "Invoice", "Parcel", "Refund", "Voucher", "Courier", "Ledger", "Pallet", "Receipt"];

/// A module of several symbols, the larger the later.
fn module(idx: usize, name: &str) -> String {
    let lower = name.to_lowercase();
    let steps: String = (0..4 + 9 * idx)
        .map(|step| format!("        total += self.weigh_{lower}({step}) * {};\n", idx + step))
        .collect();
    format!(
        "//! Keeps each {lower} of the shop.\n\nuse crate::money::Price;\n\n/// One {lower}, as a customer sees it.\n\
         pub struct {name} {{\n    id: u64,\n    price: Price,\n}}\n\nimpl {name} {{\n    /// Adds up what the {lower} costs.\n    \
         pub fn total_of_{lower}(&self) -> u64 {{\n        let mut total = 0;\n{steps}        total\n    }}\n\n    \
         fn weigh_{lower}(&self, step: u64) -> u64 {{\n        self.id + step\n    }}\n}}\n\n#[cfg(test)]\nmod tests {{\n    \
         use super::*;\n\n    #[test]\n    fn a_{lower}_costs_something() {{\n        \
         assert!({name}::default().total_of_{lower}() > 0);\n    }}\n}}\n"
    )
}

/// What does not look like other files.
fn odd(corpus: &Corpus) {
    let crlf = "# Settings of the till\r\n\r\ndef open_till(path):\r\n    \"\"\"Opens the till.\"\"\"\r\n    return path\r\n";
    corpus.write("scripts/till.py", crlf);
    let long: String = (0..900).map(|i| format!("var item{i}=price({i}*taxRate);")).collect();
    corpus.write("assets/bundle.js", format!("// bundled\n{long}\nfunction afterBundle() {{}}\n"));
    corpus.write("data/repeats.txt", "the same shelf again and again in this list\n".repeat(400));
    let twin = "def twin_of(parcel):\n    \"\"\"Finds the twin of a parcel.\"\"\"\n    return parcel.twin\n";
    corpus.write("lib/left/twin.py", twin);
    corpus.write("lib/right/twin.py", twin);
    let block = "    fn settle(&self) {\n        self.pay();\n        self.close();\n    }\n";
    let twice: String =
        ["Cash", "Card", "Cheque"].map(|name| format!("impl {name} {{\n{block}}}\n\n")).concat();
    corpus.write("src/payments.rs", twice);
    corpus.write("empty.rs", "");
    corpus.write("blank.py", "\n\n   \n");
    corpus.write("docs/no-end.md", "# No newline\n\nThe last line of this file about couriers");
    corpus
        .write("src/marked.ts", b"\xef\xbb\xbfexport function markedFile(): number { return 1 }\n");
    corpus.write("docs/caf\u{e9}.md", "# Caf\u{e9}\n\nKaffee f\u{fc}r gro\u{df}e Stra\u{df}en \u{2615}, \u{43a}\u{43e}\u{440}\u{437}\u{438}\u{43d}\u{430} and \u{8cb7}\u{3044}\u{7269}\u{304b}\u{3054}\n");
    corpus.write(
        "legacy/latin.c",
        b"/* Gr\xf6\xdfe der Kiste */\nint kiste_groesse(void) { return 3; }\n",
    );
}

const PLAIN: [(&str, &str); 22] = [
    (
        "src/money.rs",
        "//! Money.\n\n/// An amount in cents.\n#[derive(Debug, Default)]\npub struct Price {\n    pub cents: u64,\n}\n\n/// Rounds a price to whole euros, half up.\npub fn round_to_euros(price: &Price) -> u64 {\n    (price.cents + 50) / 100\n}\n\n/// Parses `12.34`; an error says what is wrong with it.\npub fn parse_price(text: &str) -> Result<Price, String> {\n    let cents: f64 = text.parse().map_err(|e| format!(\"not a price: {e}\"))?;\n    Ok(Price { cents: (cents * 100.0) as u64 })\n}\n",
    ),
    (
        "src/http/server.rs",
        "//! The web server of the shop.\n\nuse crate::money::parse_price;\n\n/// Follows redirects, at most ten of them: a loop ends with an error.\npub fn follow_redirects(mut url: String) -> Result<String, String> {\n    for _ in 0..MAX_REDIRECTS {\n        match next_location(&url) {\n            Some(next) => url = next,\n            None => return Ok(url),\n        }\n    }\n    Err(\"too many redirects\".to_owned())\n}\n\nconst MAX_REDIRECTS: usize = 10;\n\nfn next_location(url: &str) -> Option<String> {\n    url.strip_prefix(\"http://\").map(|rest| format!(\"https://{rest}\"))\n}\n\n/// The handler of `/price`.\npub fn handle_price(query: &str) -> String {\n    match parse_price(query) {\n        Ok(price) => price.cents.to_string(),\n        Err(error) => error,\n    }\n}\n",
    ),
    (
        "src/http/client.rs",
        "//! Asks other shops.\n\npub struct HttpClient {\n    timeout: u64,\n}\n\nimpl HttpClient {\n    /// Sends a request again after a pause that grows with each try.\n    pub fn send_with_retry(&self, request: &str) -> Result<String, String> {\n        let mut pause = 1;\n        loop {\n            if pause > self.timeout {\n                return Err(format!(\"gave up on {request}\"));\n            }\n            pause *= 2;\n        }\n    }\n}\n",
    ),
    (
        "src/cache.rs",
        "//! Remembers answers.\n\nuse std::collections::HashMap;\n\n/// Throws away what was not used for longest when there is no room.\npub struct LruCache {\n    entries: HashMap<String, (u64, String)>,\n    capacity: usize,\n}\n\nimpl LruCache {\n    pub fn evict_oldest(&mut self) {\n        let oldest = self.entries.iter().min_by_key(|(_, (used, _))| *used);\n        if let Some(key) = oldest.map(|(key, _)| key.clone()) {\n            self.entries.remove(&key);\n        }\n    }\n\n    pub fn get_or_insert(&mut self, key: &str) -> &str {\n        &self.entries.entry(key.to_owned()).or_default().1\n    }\n}\n",
    ),
    (
        "app/models.py",
        "\"\"\"What the shop keeps of its customers.\"\"\"\n\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Customer:\n    \"\"\"Somebody who buys.\"\"\"\n\n    name: str\n    address: str\n\n    def full_address(self):\n        \"\"\"Name and address on one line.\"\"\"\n        return f\"{self.name}, {self.address}\"\n\n\nclass Session:\n    \"\"\"A visit.\"\"\"\n\n    def send(self, message):\n        self.outbox.append(message)\n\n    def close(self):\n        self.outbox.clear()\n",
    ),
    (
        "app/auth.py",
        "import hashlib\n\n\ndef hash_password(password, salt):\n    \"\"\"Hashes a password with its salt, slowly on purpose.\"\"\"\n    return hashlib.pbkdf2_hmac('sha256', password, salt, 100000)\n\n\ndef check_login(user, password):\n    # Constant time, so that nobody learns from how long it takes.\n    expected = user.password_hash\n    return compare_digest(expected, hash_password(password, user.salt))\n\n\ndef compare_digest(a, b):\n    return len(a) == len(b) and all(x == y for x, y in zip(a, b))\n",
    ),
    (
        "app/tests/test_auth.py",
        "from app.auth import check_login, hash_password\n\n\ndef test_wrong_password_is_refused():\n    user = make_user('secret')\n    assert not check_login(user, 'other')\n\n\ndef test_hash_depends_on_salt():\n    assert hash_password(b'a', b'1') != hash_password(b'a', b'2')\n",
    ),
    (
        "web/cart.ts",
        "import { Price } from './price';\n\nexport interface CartLine {\n  sku: string;\n  amount: number;\n}\n\nexport class ShoppingCart {\n  private lines: CartLine[] = [];\n\n  addLine(line: CartLine): void {\n    this.lines.push(line);\n  }\n\n  /** Sums all lines, taxes included. */\n  totalWithTax(rate: number): number {\n    return this.lines.reduce((sum, line) => sum + line.amount * (1 + rate), 0);\n  }\n}\n\nexport const emptyCart = () => new ShoppingCart();\n",
    ),
    (
        "web/cart.test.ts",
        "import { ShoppingCart } from './cart';\n\ndescribe('ShoppingCart', () => {\n  it('adds taxes to the total', () => {\n    const cart = new ShoppingCart();\n    cart.addLine({ sku: 'a', amount: 10 });\n    expect(cart.totalWithTax(0.2)).toBe(12);\n  });\n});\n",
    ),
    (
        "web/price.js",
        "// Shows prices.\nfunction formatPrice(cents, currency) {\n  return (cents / 100).toFixed(2) + ' ' + currency;\n}\n\nmodule.exports = { formatPrice };\n",
    ),
    (
        "web/style.css",
        ".cart-total {\n  color: darkgreen;\n  font-weight: bold;\n}\n\n.price::after {\n  content: '\\20AC';\n}\n",
    ),
    (
        "web/index.html",
        "<!doctype html>\n<title>The shop</title>\n<main id=\"cart\">Your shopping cart is empty</main>\n",
    ),
    (
        "cmd/worker/main.go",
        "package main\n\nimport \"fmt\"\n\n// Worker drains a queue of orders.\ntype Worker struct {\n\tqueue chan string\n}\n\n// DrainQueue handles orders until the queue is closed.\nfunc (w *Worker) DrainQueue() int {\n\thandled := 0\n\tfor order := range w.queue {\n\t\tfmt.Println(order)\n\t\thandled++\n\t}\n\treturn handled\n}\n\nfunc main() {\n\tw := &Worker{queue: make(chan string)}\n\tw.DrainQueue()\n}\n",
    ),
    (
        "java/Warehouse.java",
        "package shop;\n\n/** Where goods lie. */\npublic class Warehouse {\n    private final java.util.Map<String, Integer> stock = new java.util.HashMap<>();\n\n    /** Takes goods out; refuses what is not there. */\n    public void takeOut(String sku, int amount) {\n        int left = stock.getOrDefault(sku, 0) - amount;\n        if (left < 0) throw new IllegalStateException(\"not enough of \" + sku);\n        stock.put(sku, left);\n    }\n}\n",
    ),
    (
        "native/ring_buffer.c",
        "#include <stddef.h>\n\n#define RING_SIZE 64\n\n/* Writes over the oldest byte when it is full. */\nstruct ring { unsigned char bytes[RING_SIZE]; size_t head; };\n\nvoid ring_push(struct ring *r, unsigned char byte)\n{\n    r->bytes[r->head++ % RING_SIZE] = byte;\n}\n",
    ),
    (
        "lib/report.rb",
        "# Monthly reports.\nclass Report\n  def initialize(orders)\n    @orders = orders\n  end\n\n  def monthly_revenue\n    @orders.group_by(&:month).transform_values { |o| o.sum(&:total) }\n  end\nend\n",
    ),
    (
        "db/schema.sql",
        "CREATE TABLE orders (\n    id INTEGER PRIMARY KEY,\n    customer TEXT NOT NULL,\n    total_cents INTEGER\n);\n\nCREATE INDEX orders_by_customer ON orders (customer);\n",
    ),
    (
        "deploy/run.sh",
        "#!/bin/sh\n# Starts the shop and waits for it.\nstart_shop() {\n    ./shop --port \"$PORT\" &\n    wait_for_port \"$PORT\"\n}\n\nstart_shop\n",
    ),
    (
        "deploy/values.yaml",
        "replicas: 3\nimage: shop:1.2\nredirects:\n  max: 10\ntimeout_seconds: 30\n",
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"shop\"\nversion = \"1.2.0\"\n\n[dependencies]\nserde = \"1\"\n",
    ),
    (
        "README.md",
        "# The shop\n\nSells things.\n\n## How redirects work\n\nAt most ten redirects are followed; a redirect loop is an error.\n\n## Configuration\n\nSet `timeout_seconds` in `deploy/values.yaml`.\n",
    ),
    (
        "docs/payments.md",
        "# Payments\n\nA payment is settled once: by cash, card or cheque.\n\n## Refunds\n\nA refund goes back the way the payment came.\n\n```rust\ncash.settle();\n```\n",
    ),
];
