//! Names of code, told by their spelling: qualified, with `_`, with capitals inside, called, or quoted.
//!
//! Plain words are never names here. Must be exact rather than complete: a word taken for a name wrongly outweighs the rest.

use super::{SymbolMention, paths};

/// Longer ones are data.
const MAX_NAME_BYTES: usize = 120;
/// Names of products, spelled like names of code.
const PRODUCTS: &[&str] = &[
    "CoffeeScript",
    "ClickHouse",
    "CouchDB",
    "DynamoDB",
    "eBay",
    "ECMAScript",
    "FreeBSD",
    "GitHub",
    "GitLab",
    "GraphQL",
    "gRPC",
    "iOS",
    "iPad",
    "iPhone",
    "IPv4",
    "IPv6",
    "JavaScript",
    "JetBrains",
    "LaTeX",
    "LinkedIn",
    "macOS",
    "MacOS",
    "MariaDB",
    "MongoDB",
    "MySQL",
    "NoSQL",
    "NumPy",
    "OAuth",
    "OAuth2",
    "OpenAI",
    "OpenAPI",
    "OpenBSD",
    "OpenGL",
    "OpenID",
    "OpenSSL",
    "PayPal",
    "PhD",
    "PostgreSQL",
    "PowerShell",
    "PyPI",
    "PyTorch",
    "RabbitMQ",
    "SciPy",
    "SQLite",
    "TypeScript",
    "WebAssembly",
    "WebGL",
    "WiFi",
    "YouTube",
];
/// Ends of host names and of programs.
const DOMAINS: &[&str] = &["com", "org", "net", "io", "dev", "edu", "gov", "local", "exe"];

/// Reads a written word as a name; `bare` is the word with what closes it, `word` without.
pub(super) fn parse(bare: &str, word: &str, is_quoted: bool) -> Option<SymbolMention> {
    if word.len() > MAX_NAME_BYTES || word.contains("://") || paths::is_product(word) {
        return None;
    }
    let is_called = bare.find('(').is_some_and(|at| {
        let called = bare[..at].trim_end_matches('!');
        at > 0 && bare[at..].contains(')') && called.ends_with(is_name_char)
    });
    let name = word.split('(').next().unwrap_or(word);
    let name = name.trim_start_matches(['@', '$', '&', '*']).trim_end_matches(['!', '?']);
    if let Some(symbol) = qualified(name) {
        return Some(symbol);
    }
    let says_so = is_called || is_quoted || (has_name_shape(name) && !PRODUCTS.contains(&name));
    (is_identifier(name) && says_so).then(|| SymbolMention::plain(name))
}

/// Letters, digits and `_`, not a number.
pub(super) fn is_identifier(text: &str) -> bool {
    text.chars().all(is_name_char) && text.contains(char::is_alphabetic) && !starts_with_digit(text)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// `snake_case`, `CAPITALS_TOO`, `camelCase`, `PascalCase`.
fn has_name_shape(name: &str) -> bool {
    has_inner_underscore(name) || has_hump(name)
}

fn has_inner_underscore(name: &str) -> bool {
    name.contains('_') && name.contains(char::is_alphabetic)
}

/// A capital behind a small letter (`placeOrder`), or a word behind capitals (`XMLParser`; not `URLs`).
fn has_hump(name: &str) -> bool {
    let chars: Vec<char> = name.chars().collect();
    let is_hump = |three: &[char]| three[0].is_lowercase() && three[1].is_uppercase();
    let is_word_behind = |four: &[char]| {
        four[0].is_uppercase()
            && four[1].is_uppercase()
            && four[2].is_lowercase()
            && four[3].is_lowercase()
    };
    chars.windows(2).any(is_hump) || chars.windows(4).any(is_word_behind)
}

/// `a::b`, `A.b`, `A#b`, `a->b`, `App\Http\Kernel`.
fn qualified(name: &str) -> Option<SymbolMention> {
    let plain = without_generics(name);
    for separator in ["::", "->", "#", "\\", "."] {
        let Some((front, last)) = plain.rsplit_once(separator) else { continue };
        let parent = front.rsplit(|c| !is_name_char(c)).next().unwrap_or("");
        // `Mod.fun/1`: the number of arguments.
        let last = last.split('/').next().unwrap_or(last);
        let is_good = is_identifier(last)
            && (parent.is_empty() || is_identifier(parent))
            && front.chars().all(|c| is_name_char(c) || ":.#\\->$@".contains(c))
            && (separator != "." || is_dotted_name(front, parent, last));
        let parent = (!parent.is_empty()).then(|| parent.to_owned());
        return is_good.then(|| SymbolMention { name: last.to_owned(), parent });
    }
    None
}

/// Not `e.g`, `example.com`, `U.S` or `v1.2`.
fn is_dotted_name(front: &str, parent: &str, last: &str) -> bool {
    let is_short = last.len() == 1
        && !(parent.starts_with(char::is_uppercase) && last.chars().all(char::is_lowercase));
    !front.is_empty()
        && front.split('.').all(|part| is_identifier(part.trim_start_matches(['$', '@'])))
        && !is_short
        && !DOMAINS.contains(&last)
}

/// `Vec<T>::push` → `Vec::push`.
fn without_generics(name: &str) -> String {
    let mut depth = 0_u32;
    let mut plain = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '<' => depth += 1,
            // The arrow of `a->b` closes nothing.
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

/// The name and parent of a function as a stack trace prints it; `None` for what has no name.
pub(super) fn of_frame(text: &str) -> Option<SymbolMention> {
    const NOISE: &[&str] = &["Object", "anonymous", "closure", "lambda"];
    let plain = text.replace("<init>", "").replace("(*", "").replace(')', "");
    let plain = without_generics(plain.split('(').next().unwrap_or(&plain));
    let is_part = |part: &&str| {
        is_identifier(part) && !NOISE.contains(part) && !is_hash(part) && !is_closure(part)
    };
    let cut = |c: char| !is_name_char(c) || c == '$';
    let parts: Vec<&str> = plain.split(cut).filter(|p| !p.is_empty()).filter(is_part).collect();
    let (name, front) = parts.split_last()?;
    let parent = front.last().map(|parent| (*parent).to_owned());
    Some(SymbolMention { name: (*name).to_owned(), parent })
}

/// `h0123456789abcdef`, which rustc puts behind a name.
fn is_hash(part: &str) -> bool {
    part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|b| b.is_ascii_hexdigit())
}

/// `func1`, as Go calls a function without a name.
fn is_closure(part: &str) -> bool {
    part.strip_prefix("func")
        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Where the name stands that a line of code defines: in front of its first bracket, else its last word.
pub(super) fn of_code(line: &str) -> Option<std::ops::Range<usize>> {
    let front = line[..line.find('(').unwrap_or(line.len())].trim_end();
    let end = front.trim_end_matches(|c| !is_name_char(c)).len();
    let start = front[..end]
        .rfind(|c| !is_name_char(c))
        .map_or(0, |at| at + front[at..].chars().next().map_or(0, char::len_utf8));
    is_identifier(&front[start..end]).then_some(start..end)
}
