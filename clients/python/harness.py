"""What the checks of the Python client share: counting, places to search, servers to start.

Servers run with a home and an index folder of their own, so that nothing of the machine is read or changed.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

import anyio
import httpx2
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

HERE = pathlib.Path(__file__).resolve().parent
TREE = json.loads((HERE.parent / "tree.json").read_text(encoding="utf-8"))["files"]
CASES = json.loads((HERE.parent / "cases.json").read_text(encoding="utf-8"))
BINARY = os.environ.get("WHEREIN_BIN", "")
# Half a second is what people wait for an error; a busy machine gets more.
ERROR_WITHIN = 2.0
# A question to a server that has work on its hands.
ANSWER_WITHIN = 60.0


class Report:
    """Counts checks and keeps what failed."""

    def __init__(self):
        self.n_checks = 0
        self.failures = []
        self.slowest_error = (0.0, "none")

    def check(self, holds, what, found=None):
        self.n_checks += 1
        if not holds:
            shown = "" if found is None else f": {str(found)[:1500]}"
            self.failures.append(f"{what}{shown}")
            print(f"FAILED {what}{shown}", flush=True)

    def equal(self, found, wanted, what):
        self.check(found == wanted, f"{what} is {wanted!r}", found)

    def error_took(self, seconds, what):
        self.slowest_error = max(self.slowest_error, (seconds, what))
        self.check(seconds < ERROR_WITHIN, f"{what}: an error within {ERROR_WITHIN} s", seconds)


report = Report()


class Place:
    """The folders of one run."""

    def __init__(self, base):
        self.base = pathlib.Path(base).resolve()
        self.shop = self.base / "shop"
        self.home = self.base / "home"
        self.index = self.base / "index"
        self.empty = self.base / "empty"
        self.nowhere = self.base / "nowhere"
        for folder in (self.home, self.empty, self.nowhere):
            folder.mkdir()
        write_tree(self.shop)
        self.n_servers = 0

    def environment(self):
        inherited = {name: os.environ[name] for name in ("PATH", "TMPDIR", "TEMP", "SYSTEMROOT") if name in os.environ}
        own = {"HOME": str(self.home), "USERPROFILE": str(self.home), "WHEREIN_INDEX_DIR": str(self.index)}
        return inherited | own | {"WHEREIN_BIN": BINARY}

    def next_name(self):
        self.n_servers += 1
        return self.n_servers


def write_tree(folder):
    for path, text in TREE.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    if os.name == "posix":
        (folder / "link").symlink_to("/etc")


@contextlib.asynccontextmanager
async def stdio(place, *arguments, mode="legacy", roots=None, cwd=None):
    """A client of `wherein mcp`; afterwards all that the server wrote is judged."""
    copy = place.base / f"stdout-{place.next_name()}"
    server = StdioServerParameters(
        command=sys.executable,
        args=[str(HERE / "tee.py"), "mcp", *map(str, arguments)],
        env=place.environment() | {"CLIENTS_COPY": str(copy)},
        cwd=str(cwd or place.nowhere),
    )
    strange = []

    async def handler(message):
        if isinstance(message, Exception):
            strange.append(message)

    # Asked anew each time, so that a check may change the list.
    async def tell_roots(_context):
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in roots])

    callback = None if roots is None else tell_roots
    async with Client(server, mode=mode, list_roots_callback=callback, message_handler=handler) as client:
        yield client
    report.equal(strange, [], "what the client could not read")
    judge_output(copy)


def judge_output(copy):
    """Standard output holds whole lines of JSON-RPC and nothing else."""
    written = copy.read_bytes()
    report.check(written.endswith(b"\n"), "standard output ends with a line", written[-200:])
    for line in written.split(b"\n")[:-1]:
        try:
            message = json.loads(line)
            is_message = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
        except ValueError:
            is_message = False
        report.check(is_message, "a line of standard output is JSON-RPC", line[:300])


@contextlib.contextmanager
def serving(place, *arguments):
    """`wherein serve` on a free port: its address."""
    port_file = place.base / f"port-{place.next_name()}"
    command = [BINARY, "serve", "--port", "0", "--port-file", str(port_file), *map(str, arguments)]
    server = subprocess.Popen(
        command, cwd=place.nowhere, env=place.environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        for _ in range(600):
            if port_file.exists() or server.poll() is not None:
                break
            time.sleep(0.05)
        if not port_file.exists():
            raise RuntimeError(f"the server does not start: {server.stderr.read().decode(errors='replace')}")
        yield f"http://127.0.0.1:{port_file.read_text().strip()}"
    finally:
        server.terminate()
        try:
            server.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            report.check(False, "the server ends when it is told to")
            server.kill()
            server.communicate()


@contextlib.asynccontextmanager
async def http(url, mode="legacy", headers=None):
    """A client of `/mcp` of a server that runs."""
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30, read=300)) as connection:
        async with Client(streamable_http_client(f"{url}/mcp", http_client=connection), mode=mode) as client:
            yield client


async def call(client, tool, arguments=None, **options):
    """The result of a tool and how long it took."""
    started = time.monotonic()
    with anyio.fail_after(ANSWER_WITHIN):
        result = await client.call_tool(tool, arguments or {}, **options)
    return result, time.monotonic() - started


async def refused(client, tool, arguments, kind, what):
    """Checks that a call ends as a typed error, soon."""
    result, seconds = await call(client, tool, arguments)
    report.error_took(seconds, what)
    report.check(result.is_error is True, f"{what}: is an error", text_of(result))
    error = (result.structured_content or {}).get("error", {})
    report.equal(error.get("kind"), kind, f"{what}: its kind")
    report.check(bool(error.get("message")), f"{what}: has a message", error)
    report.check(text_of(result).startswith(f"error ({kind}): "), f"{what}: the text says so", text_of(result))
    return error


async def protocol_error(awaitable, what):
    """Checks that a request is refused by the protocol."""
    started = time.monotonic()
    try:
        await awaitable
    except MCPError as error:
        report.error_took(time.monotonic() - started, what)
        report.equal(error.error.code, -32602, f"{what}: its code")
        return error.error.message
    report.check(False, f"{what}: is refused")
    return ""


def text_of(result):
    return "".join(block.text for block in result.content if block.type == "text")


def at(value, path):
    """The value at `a.0.b`; `length` counts a list."""
    for name in path.split("."):
        if isinstance(value, list):
            value = len(value) if name == "length" else value[int(name)] if int(name) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value
