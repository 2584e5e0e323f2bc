// The small trees that the page tests search: as data, so that the mock serves them and the real server gets them as files.
//
// `harbor` is searched from the start; `kiosk` is what the tests add. One file is hostile in its path, its names and its
// text. The code is made up for these tests.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What must never run: it would set this on `window`. */
export const ATTACK = `<img src=x onerror="window.attacked=1">`;

const SESSION = `"""Sessions keep what several requests share: cookies, headers, how often to try again."""

from harbor.errors import TooManyRedirects
from harbor.urls import same_host


class Session:
    """Sends requests and follows where the answers lead."""

    max_redirects = 30

    def __init__(self, transport, headers=None):
        self.transport = transport
        self.headers = dict(headers or {})
        self.cookies = {}

    def send(self, request):
        """Sends a request once and keeps the cookies of its answer."""
        response = self.transport.send(request, headers=self.headers)
        self.cookies.update(response.cookies)
        return response

    def follow_redirects(self, request):
        """Follows redirects until an answer stays, and stops a redirect loop.

        Raises TooManyRedirects when the limit is reached or a place is visited twice.
        """
        visited = set()
        response = self.send(request)
        while response.is_redirect:
            if response.location in visited or len(visited) >= self.max_redirects:
                raise TooManyRedirects(f"stopped a redirect loop after {len(visited)} redirects")
            visited.add(response.location)
            request = request.to(response.location)
            if not same_host(request.url, response.url):
                request.headers.pop("Authorization", None)
            response = self.send(request)
        return response

    def should_strip_auth(self, old_url, new_url):
        """Whether the password must not go along to another host."""
        return not same_host(old_url, new_url)
`;

const RETRY = `"""Tries a failed request again, with longer pauses each time."""

import random
import time


def backoff(attempt, base=0.2, limit=30.0):
    """Seconds to wait before the next attempt: doubling, with jitter, never above the limit."""
    pause = min(base * 2**attempt, limit)
    return pause * random.uniform(0.5, 1.0)


def retry(send, attempts=5):
    """Calls send until it answers; a failed request is tried again, the last error is raised."""
    for attempt in range(attempts):
        try:
            return send()
        except ConnectionError:
            if attempt + 1 == attempts:
                raise
            time.sleep(backoff(attempt))
`;

const CONFIG = `//! Reads the configuration: file, then environment, then flags. Later ones win.

use std::collections::BTreeMap;
use std::path::Path;

/// What the program was told, from wherever it was told.
pub struct Config {
    pub port: u16,
    pub roots: Vec<String>,
}

/// Reads the configuration file and lets the environment override it.
pub fn read_config(path: &Path, environment: &BTreeMap<String, String>) -> Result<Config, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut config = parse(&text)?;
    if let Some(port) = environment.get("HARBOR_PORT") {
        config.port = port.parse().map_err(|_| format!("'{port}' is no port"))?;
    }
    Ok(config)
}

fn parse(text: &str) -> Result<Config, String> {
    let mut config = Config { port: 8080, roots: Vec::new() };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once('=') {
            Some(("port", value)) => config.port = value.trim().parse().map_err(|_| "bad port")?,
            Some(("root", value)) => config.roots.push(value.trim().to_owned()),
            _ => return Err(format!("cannot read '{line}'")),
        }
    }
    Ok(config)
}
`;

const WIDGET = `// A list whose rows are made only while they are seen.

export interface Viewport {
  top: number;
  height: number;
}

/** The rows of a long list that a viewport shows, with a few more on either side. */
export function visibleRows(rows: readonly string[], rowHeight: number, viewport: Viewport): string[] {
  const first = Math.max(0, Math.floor(viewport.top / rowHeight) - 3);
  const last = Math.ceil((viewport.top + viewport.height) / rowHeight) + 3;
  return rows.slice(first, last);
}

/** Renders the label of a row: "🚢 harbor" keeps its emoji and the harbor after it. */
export function label(name: string): string {
  return \`🚢 harbor \${name}\`;
}
`;

const HOSTILE = `# ${ATTACK}
def hostile_markup(text):
    """Escapes hostile markup such as ${ATTACK} and </script><script>window.attacked=1</script>."""
    hostile = "<b onmouseover='window.attacked=1'>hostile markup</b>"
    return text.replace("<", "&lt;") + hostile
`;

/** Path → text. */
export const HARBOR = {
  "README.md": "# Harbor\n\nA small client. It follows redirects and tries a failed request again.\n",
  "src/harbor/session.py": SESSION,
  "src/harbor/retry.py": RETRY,
  "src/harbor/errors.py": '"""What can go wrong."""\n\n\nclass TooManyRedirects(Exception):\n    """A redirect loop, or too many redirects in a row."""\n',
  "src/harbor/urls.py": '"""Questions about addresses."""\n\nfrom urllib.parse import urlsplit\n\n\ndef same_host(one, other):\n    """Whether two addresses lead to the same host."""\n    return urlsplit(one).hostname == urlsplit(other).hostname\n',
  "server/config.rs": CONFIG,
  "web/list.ts": WIDGET,
  "tests/test_session.py": "from harbor.session import Session\n\n\ndef test_a_redirect_loop_ends(transport):\n    session = Session(transport)\n    session.follow_redirects(transport.loop())\n",
  "docs/redirects.md": "# Redirects\n\nA session follows redirects. A redirect loop is stopped after thirty redirects.\n",
  "harbor.toml": "port = 8080\nroot = \"data\"\n",
  [`src/harbor/${ATTACK.replaceAll('"', "'")}.py`]: HOSTILE,
  "web/long.js": `// One long line, as minifiers make them.\nconst minified = "${"x".repeat(5000)}";\n`,
};

export const KIOSK = {
  "main.go": "package main\n\n// PrintReceipt prints what was bought.\nfunc PrintReceipt(items []string) {\n\tfor _, item := range items {\n\t\tprintln(item)\n\t}\n}\n",
};

/** Files that no index takes, so that something is skipped. */
const SKIPPED = { "harbor/logo.bin": "\0\0\0", "harbor/package-lock.json": "{}\n", "harbor/picture.svg": "<svg/>\n" };

/** Writes both trees below `folder`. */
export function writeFixture(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(HARBOR)) write(`harbor/${path}`, text);
  for (const [path, text] of Object.entries(KIOSK)) write(`kiosk/${path}`, text);
  for (const [path, text] of Object.entries(SKIPPED)) write(path, text);
}
