// Runs the server for a client and keeps a copy of all that it writes to standard output.
//
// Clients start this in place of the server, so that afterwards every byte can be judged: standard output belongs to the protocol. The
// program is named by WHEREIN_BIN, the copy by CLIENTS_COPY; standard input is the server's own.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const server = spawn(process.env.WHEREIN_BIN, process.argv.slice(2), { stdio: ["inherit", "pipe", "inherit"] });
server.stdout.on("data", (chunk) => {
  appendFileSync(process.env.CLIENTS_COPY, chunk);
  process.stdout.write(chunk);
});
process.stdout.on("error", () => server.kill());
process.on("SIGTERM", () => server.kill());
server.on("close", (code) => process.exit(code ?? 1));
