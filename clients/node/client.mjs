// The official MCP client for Node drives `wherein mcp` and `wherein serve`; WHEREIN_BIN names the program.
//
// Each tool is called over both transports; the last line says how many checks hold.

import { everything } from "./answers.mjs";
import { http, serving, stdio } from "./harness.mjs";
import { edits, firstIndex, takenBack } from "./live.mjs";
import { around, noFolder, ofClient } from "./roots.mjs";
import { run } from "./run.mjs";
import { wire } from "./wire.mjs";

const toolsOverStdio = (place) => stdio(place, ["--root", place.shop], (client) => everything(client, "stdio"));
const toolsOverHttp = (place) => serving(place, [place.shop], (url) => http(url, (client) => everything(client, "HTTP")));

await run("node client", [toolsOverStdio, toolsOverHttp, noFolder, around, ofClient, firstIndex, takenBack, edits, wire]);
