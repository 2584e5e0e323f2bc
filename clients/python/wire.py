"""Checks of HTTP itself: sessions and their end, who may ask, and what is no message.

Plain requests, so that each header is seen.
"""

import json

import httpx2

from harness import http, report, serving

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}},
}
PING = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
TOKEN = "a token of this test"


async def sessions(place):
    with serving(place, place.shop) as url:
        async with httpx2.AsyncClient(timeout=30) as connection:
            await one_session(connection, f"{url}/mcp")
            await who_may_ask(connection, url)
            await no_message(connection, f"{url}/mcp")


async def one_session(connection, url):
    async def post(message, **headers):
        return await connection.post(url, json=message, headers=HEADERS | headers)

    hello = await post(HELLO)
    session = hello.headers.get("mcp-session-id")
    report.equal(hello.status_code, 200, "HTTP: initialize")
    report.check(bool(session), "HTTP: a session has an id", dict(hello.headers))
    report.check("2025-06-18" in hello.text, "HTTP: the client's version is taken", hello.text)
    report.equal(hello.headers.get("x-content-type-options"), "nosniff", "HTTP: headers against browsers")
    known = {"mcp-session-id": session or "", "mcp-protocol-version": "2025-06-18"}
    begun = await post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **known)
    report.equal(begun.status_code, 202, "HTTP: a notification")
    report.equal((await post(PING, **known)).status_code, 200, "HTTP: a request in its session")
    other = {"mcp-session-id": "00000000-0000-4000-8000-000000000000"}
    report.equal((await post(PING, **other)).status_code, 404, "HTTP: a session that is none")
    report.check(400 <= (await post(PING)).status_code < 500, "HTTP: a request without a session")
    ended = await connection.delete(url, headers=known)
    report.check(ended.status_code in (200, 202, 204), "HTTP: the end of a session", ended.status_code)
    report.equal((await post(PING, **known)).status_code, 404, "HTTP: a session that has ended")


async def who_may_ask(connection, url):
    for path in ("/mcp", "/api/indexes"):
        for name, value in [("host", "evil.example"), ("origin", "http://evil.example"), ("sec-fetch-site", "cross-site")]:
            answer = await connection.post(f"{url}{path}", json=HELLO, headers=HEADERS | {name: value})
            report.equal(answer.status_code, 403, f"HTTP: {path} with {name} {value}")
            report.equal(answer.json().get("kind"), "forbidden", f"HTTP: {path} with {name}: its kind")


async def no_message(connection, url):
    for what, body in [("no JSON", b"{"), ("no message", b"[1]"), ("nothing", b""), ("too much", b"x" * (2 << 20))]:
        answer = await connection.post(url, content=body, headers=HEADERS)
        report.check(400 <= answer.status_code < 500, f"HTTP: {what} is refused", answer.status_code)
    answer = await connection.post(url, json=HELLO, headers=HEADERS | {"accept": "text/html"})
    report.equal(answer.status_code, 406, "HTTP: an answer that the client does not take")
    answer = await connection.put(url, json=HELLO, headers=HEADERS)
    report.equal(answer.status_code, 405, "HTTP: a method that is none")


async def token(place):
    with serving(place, "--token", TOKEN, place.shop) as url:
        async with httpx2.AsyncClient(timeout=30) as connection:
            for given, status in [(None, 401), ("Bearer wrong token", 401), (f"Bearer {TOKEN}", 200)]:
                headers = HEADERS | ({"authorization": given} if given else {})
                answer = await connection.post(f"{url}/mcp", json=HELLO, headers=headers)
                report.equal(answer.status_code, status, f"HTTP: with the token {given}")
                if status == 401:
                    report.equal(answer.headers.get("www-authenticate"), "Bearer", "HTTP: how to show a token")
                    report.check(TOKEN not in json.dumps(answer.json()), "HTTP: the token stays secret")
        async with http(url, headers={"authorization": f"Bearer {TOKEN}"}) as client:
            report.equal(len((await client.list_tools()).tools), 7, "HTTP: a client with the token")
