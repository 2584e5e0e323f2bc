// Checks of HTTP itself: sessions and their end, and who may ask.

import { request } from "node:http";
import { http, report, serving } from "./harness.mjs";

const TOKEN = "a token of this test";
const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "wire", version: "1" } },
});

/** The answer to a plain request; Host is a header like any other here, as fetch does not let it be. */
function post(url, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/mcp`, { method: "POST", headers: { ...HEADERS, ...headers } }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.on("error", reject);
    sent.end(HELLO);
  });
}

export async function wire(place) {
  await serving(place, [place.shop], async (url) => {
    await http(url, async (client, transport) => {
      report.check(Boolean(transport.sessionId), "HTTP: a session has an id");
      await client.ping();
      await transport.terminateSession();
      report.equal(transport.sessionId, undefined, "HTTP: a session that has ended");
    });
    for (const [name, value] of [["host", "evil.example"], ["origin", "http://evil.example"]]) {
      report.equal((await post(url, { [name]: value })).status, 403, `HTTP: ${name} ${value}`);
    }
  });
  await serving(place, ["--token", TOKEN, place.shop], async (url) => {
    for (const [given, status] of [[undefined, 401], ["Bearer wrong token", 401], [`Bearer ${TOKEN}`, 200]]) {
      const answer = await post(url, given ? { authorization: given } : {});
      report.equal(answer.status, status, `HTTP: with the token ${given}`);
    }
    const refusal = await http(url, () => {}).catch((error) => error);
    report.check(String(refusal).includes("401") || /unauthorized/i.test(String(refusal)), "HTTP: a client without the token", String(refusal));
    const listed = async (client) => report.equal((await client.listTools()).tools.length, 7, "HTTP: a client with the token");
    await http(url, listed, { headers: { authorization: `Bearer ${TOKEN}` } });
  });
}
