//! A running server, and clients so plain that they can also say what no library would let them say.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::tree::Tree;

/// Longer waits mean that something hangs.
pub(crate) const HANGS: Duration = Duration::from_secs(60);

/// `wherein serve` on a free port.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The paths of the hits, in order.
    pub(crate) fn paths(&self) -> Vec<String> {
        let hits = self.json()["hits"].as_array().cloned().unwrap_or_default();
        hits.iter().map(|hit| hit["path"].as_str().unwrap().to_owned()).collect()
    }
}

impl Server {
    /// Serves the tree, with more arguments.
    pub(crate) fn start(tree: &Tree, args: &[&str]) -> Server {
        let port_file = tree.home().join(format!("port-{}", args.len()));
        let _ = std::fs::remove_file(&port_file);
        let mut command = tree.command(&["serve", "--port", "0", "--port-file"]);
        command.arg(&port_file).args(args).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        let started = Instant::now();
        let port = loop {
            if let Ok(text) = std::fs::read_to_string(&port_file) {
                break text.trim().parse().unwrap();
            }
            assert!(started.elapsed() < HANGS, "the server does not listen");
            std::thread::sleep(Duration::from_millis(10));
        };
        Server { child, port }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], "")
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: localhost:{}\r\n", self.port));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.raw(head.as_bytes())
    }

    /// Sends bytes as they are, and reads until the server closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Response {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(HANGS)).unwrap();
        // A server that refuses early closes before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_owned() };
        Response { status, head: head.to_owned(), body }
    }

    /// Asks until the answer is as wanted; a watched tree needs no second question, an index under way does.
    pub(crate) fn until(&self, path: &str, wanted: impl Fn(&Response) -> bool) -> Response {
        let started = Instant::now();
        loop {
            let response = self.get(path);
            if wanted(&response) {
                return response;
            }
            assert!(started.elapsed() < HANGS, "{path}: {response:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks it to stop as the system does; its exit status.
    #[cfg(unix)]
    pub(crate) fn stop(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let n = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if n == 0 || rest.len() < n {
            break;
        }
        whole.push_str(&rest[..n]);
        body = rest[n..].trim_start_matches("\r\n");
    }
    whole
}

/// `wherein mcp`, spoken to line by line.
pub(crate) struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    n_asked: u64,
}

impl Agent {
    /// Starts it and shakes hands, with the roots that the client says it has.
    pub(crate) fn start(tree: &Tree, args: &[&str]) -> Agent {
        let mut agent = Agent::spawn(tree, args);
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = agent.ask("initialize", &params);
        assert_eq!(answer["result"]["serverInfo"]["name"], "wherein", "{answer}");
        agent.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        agent
    }

    /// Starts it without a word.
    pub(crate) fn spawn(tree: &Tree, args: &[&str]) -> Agent {
        let mut command = tree.command(&["mcp"]);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let input = child.stdin.take();
        Agent { child, input, lines, n_asked: 0 }
    }

    /// Sends a line as it is.
    pub(crate) fn say(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// Asks, and waits for the answer to just that.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.n_asked += 1;
        let id = self.n_asked;
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.say(line.to_string());
        loop {
            let line = self.lines.recv_timeout(HANGS).expect("an answer");
            let value = protocol(&line);
            if value["id"] == id && value.get("method").is_none() {
                return value;
            }
        }
    }

    /// Calls a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))["result"].clone()
    }

    /// Ends the input; the exit status, and every line that came until then.
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<String>) {
        drop(self.input.take());
        let status = self.child.wait().unwrap().code();
        (status, self.lines.iter().collect())
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line of the protocol: nothing else may stand on standard output.
pub(crate) fn protocol(line: &str) -> Value {
    let value: Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
    assert_eq!(value["jsonrpc"], "2.0", "{line}");
    value
}
