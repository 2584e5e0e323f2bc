// Checks of a client that is connected: who the server is, its tools and prompts, and what each tool answers.
//
// The same for every transport.

import { at, call, CASES, protocolError, refused, report } from "./harness.mjs";

/** Words of schemas that some clients refuse. */
const UNIONS = ["anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "nullable", "format"];
const PLAIN = ["string", "integer", "boolean", "array"];

export async function everything(client, label) {
  who(client, label);
  await tools(client, label);
  await prompts(client, label);
  for (const one of CASES.answers) await answer(client, one, label);
  for (const { tool, arguments: given, kind } of CASES.errors) {
    const what = `${label}: ${tool} ${JSON.stringify(given)}`;
    const error = await refused(client, tool, given, kind, what);
    report.check(!JSON.stringify(error).includes("octopus"), `${what}: tells no secret`, error);
  }
  await protocolError(client.callTool({ name: "folder_serch", arguments: {} }), `${label}: a tool that is none`);
  const { result, text } = await call(client, "index_status");
  report.check(!result.isError, `${label}: still answers`, text);
}

function who(client, label) {
  const { name, version } = client.getServerVersion();
  report.equal(name, "wherein", `${label}: the server's name`);
  report.check(Boolean(version), `${label}: the server has a version`);
  const told = client.getInstructions() ?? "";
  report.check(told.includes("folder_search") && told.includes("read_code"), `${label}: instructions name the tools`, told);
  const has = client.getServerCapabilities();
  report.check(Boolean(has.tools && has.prompts), `${label}: tools and prompts are offered`, has);
}

async function tools(client, label) {
  const { tools: listed } = await client.listTools();
  const titles = Object.fromEntries(listed.map(({ name, title }) => [name, title]));
  report.equal(titles, CASES.tools, `${label}: tools and their titles`);
  listed.forEach((tool) => judgeTool(tool, `${label}: ${tool.name}`));
}

/** What a tool says of itself is whole, and its schema is one that every client takes. */
export function judgeTool({ name, description, annotations, inputSchema }, what) {
  report.equal(annotations.readOnlyHint, name !== "reindex", `${what}: whether it only reads`);
  report.equal(annotations.destructiveHint, false, `${what}: whether it destroys`);
  report.equal(annotations.openWorldHint, false, `${what}: whether it reaches out`);
  report.check(Boolean(description), `${what}: is described`);
  report.equal(inputSchema.type, "object", `${what}: its schema`);
  const needed = inputSchema.required ?? [];
  report.check(needed.every((key) => key in inputSchema.properties), `${what}: what it needs is known`, needed);
  for (const [key, part] of Object.entries(inputSchema.properties)) {
    plain(part, `${what}: ${key}`);
    report.check(Boolean(part.description), `${what}: ${key} is described`);
  }
}

/** Each type is one word, and no union hides anywhere. */
function plain(schema, what) {
  report.check(PLAIN.includes(schema.type), `${what}: one plain type`, schema);
  report.check(!UNIONS.some((word) => word in schema), `${what}: no union`, schema);
  if (schema.items) plain(schema.items, `${what}: items`);
}

async function prompts(client, label) {
  const { prompts: listed } = await client.listPrompts();
  report.equal(listed.map(({ name }) => name).sort(), CASES.prompts.map(({ name }) => name).sort(), `${label}: prompts`);
  for (const { name, argument, title } of CASES.prompts) {
    const what = `${label}: ${name}`;
    const prompt = listed.find((one) => one.name === name);
    report.equal(prompt?.title, title, `${what}: its title`);
    report.equal(prompt?.arguments.map((one) => [one.name, one.required]), [[argument, true]], `${what}: its arguments`);
    const filled = await client.getPrompt({ name, arguments: { [argument]: "the retry logic" } });
    const { text } = filled.messages[0].content;
    report.check(text.includes("the retry logic") && text.includes("folder_search"), `${what}: is filled in`, text);
    await protocolError(client.getPrompt({ name, arguments: {} }), `${what}: without its argument`);
  }
  await protocolError(client.getPrompt({ name: "find_when" }), `${label}: a prompt that is none`);
}

async function answer(client, { tool, arguments: given, is = {}, says = [] }, label) {
  const what = `${label}: ${tool} ${JSON.stringify(given)}`;
  const { result, text, structured } = await call(client, tool, given);
  report.check(!result.isError, `${what}: is answered`, text);
  for (const [path, wanted] of Object.entries(is)) report.equal(at(structured, path), wanted, `${what}: ${path}`);
  for (const said of says) report.check(text.includes(said), `${what}: says ${said}`, text);
  const told = text + JSON.stringify(structured);
  for (const secret of CASES.never) report.check(!told.includes(secret), `${what}: does not tell ${secret}`, told);
}
