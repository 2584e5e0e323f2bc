"""Checks of a client that is connected: who the server is, its tools and prompts, and what each tool answers.

The same for every transport and every age of the protocol.
"""

import json

from harness import CASES, call, at, protocol_error, refused, report, text_of

# Words of schemas that some clients refuse.
UNIONS = {"anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "nullable", "format"}


async def everything(client, label):
    await who(client, label)
    await tools(client, label)
    await prompts(client, label)
    for case in CASES["answers"]:
        await answer(client, case, label)
    for case in CASES["errors"]:
        what = f"{label}: {case['tool']} {json.dumps(case['arguments'])}"
        error = await refused(client, case["tool"], case["arguments"], case["kind"], what)
        report.check("octopus" not in json.dumps(error), f"{what}: tells no secret", error)
    await protocol_error(client.call_tool("folder_serch", {"question": "a"}), f"{label}: a tool that is none")
    # The server goes on after all of that.
    result, _ = await call(client, "index_status")
    report.check(not result.is_error, f"{label}: still answers", text_of(result))


async def who(client, label):
    report.equal(client.server_info.name, "wherein", f"{label}: the server's name")
    report.check(bool(client.server_info.version), f"{label}: the server has a version")
    told = client.instructions or ""
    report.check("folder_search" in told and "read_code" in told, f"{label}: instructions name the tools", told)
    has = client.server_capabilities
    report.check(has.tools is not None and has.prompts is not None, f"{label}: tools and prompts are offered", has)


async def tools(client, label):
    listed = (await client.list_tools()).tools
    report.equal({tool.name: tool.title for tool in listed}, CASES["tools"], f"{label}: tools and their titles")
    for tool in listed:
        what, hints = f"{label}: {tool.name}", tool.annotations
        report.equal(hints.read_only_hint, tool.name != "reindex", f"{what}: whether it only reads")
        report.equal(hints.destructive_hint, False, f"{what}: whether it destroys")
        report.equal(hints.open_world_hint, False, f"{what}: whether it reaches out")
        report.check(bool(tool.description), f"{what}: is described")
        schema = tool.input_schema
        report.equal(schema["type"], "object", f"{what}: its schema")
        report.check(set(schema.get("required", [])) <= set(schema["properties"]), f"{what}: what it needs is known")
        for name, part in schema["properties"].items():
            plain(part, f"{what}: {name}")
            report.check(bool(part.get("description")), f"{what}: {name} is described")


def plain(schema, what):
    """Each type is one word, and no union hides anywhere."""
    report.check(schema.get("type") in {"string", "integer", "boolean", "array"}, f"{what}: one plain type", schema)
    report.check(not UNIONS & set(schema), f"{what}: no union", schema)
    if "items" in schema:
        plain(schema["items"], f"{what}: items")


async def prompts(client, label):
    listed = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
    report.equal(sorted(listed), sorted(case["name"] for case in CASES["prompts"]), f"{label}: prompts")
    for case in CASES["prompts"]:
        name, what = case["name"], f"{label}: {case['name']}"
        report.equal(listed[name].title, case["title"], f"{what}: its title")
        needed = [(argument.name, argument.required) for argument in listed[name].arguments]
        report.equal(needed, [(case["argument"], True)], f"{what}: its arguments")
        filled = await client.get_prompt(name, {case["argument"]: "the retry logic"})
        text = filled.messages[0].content.text
        report.check("the retry logic" in text and "folder_search" in text, f"{what}: is filled in", text)
        await protocol_error(client.get_prompt(name, {}), f"{what}: without its argument")
    await protocol_error(client.get_prompt("find_when", {}), f"{label}: a prompt that is none")


async def answer(client, case, label):
    what = f"{label}: {case['tool']} {json.dumps(case['arguments'])}"
    result, _ = await call(client, case["tool"], case["arguments"])
    text, structured = text_of(result), result.structured_content
    report.check(not result.is_error, f"{what}: is answered", text)
    for path, wanted in case.get("is", {}).items():
        report.equal(at(structured, path), wanted, f"{what}: {path}")
    for said in case.get("says", []):
        report.check(said in text, f"{what}: says {said!r}", text)
    for secret in CASES["never"]:
        told = text + json.dumps(structured)
        report.check(secret not in told, f"{what}: does not tell {secret!r}", told)
