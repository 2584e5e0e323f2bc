"""Checks of which folder answers: several roots, roots that are none, roots that the client names, and none at all.

All over standard streams, where the client decides; a server over HTTP keeps its own.
"""

import os

from harness import call, http, refused, report, serving, stdio, text_of, write_tree

MODERN = "2026-07-28"


def uri(folder):
    return folder.as_uri()


async def no_folder(place):
    """Roots that cannot be searched are typed errors of the first call; the server itself starts and goes on."""
    cases = [
        ("a root that is not there", ["--root", str(place.base / "gone")], place.nowhere, "not_found"),
        ("a root that is a file", ["--root", str(place.shop / "README.md")], place.nowhere, "usage"),
        ("the whole system", ["--root", os.path.abspath(os.sep)], place.nowhere, "usage"),
        ("the home folder", ["--root", str(place.home)], place.nowhere, "usage"),
        ("no root, started nowhere", [], place.nowhere, "not_indexed"),
        ("no root, started in the home folder", [], place.home, "not_indexed"),
        ("no root, started in the whole system", [], os.path.abspath(os.sep), "not_indexed"),
    ]
    for mode in ("legacy", MODERN):
        for what, arguments, cwd, kind in cases:
            async with stdio(place, *arguments, cwd=cwd, mode=mode) as client:
                for tool, given in [("index_status", {}), ("folder_search", {"question": "where is it"})]:
                    error = await refused(client, tool, given, kind, f"{what} ({mode}, {tool})")
                    report.check(bool(error.get("hint")), f"{what}: says what helps", error)
                report.equal(len((await client.list_tools()).tools), 7, f"{what}: tools are listed all the same")


async def around(place):
    """Without any root, the project around the current folder answers; an empty folder has nothing to find."""
    async with stdio(place, cwd=place.shop / "src") as client:
        result, _ = await call(client, "index_status")
        report.equal(result.structured_content["root"], str(place.shop), "the project around the current folder")
    async with stdio(place, "--root", place.empty) as client:
        result, seconds = await call(client, "folder_search", {"question": "anything"})
        report.error_took(seconds, "an empty folder")
        report.equal(result.structured_content["hits"], [], "an empty folder: hits")
        report.check("nothing found" in text_of(result), "an empty folder: says so", text_of(result))
        await refused(client, "read_code", {"path": "a.py"}, "not_found", "an empty folder: a file")


async def of_client(place):
    """Roots that the client names."""
    other = place.base / "second shop"
    write_tree(other)
    (other / "src" / "extra.py").write_text("def only_in_the_second():\n    pass\n", encoding="utf-8")
    roots = [uri(place.shop)]
    async with stdio(place, roots=roots) as client:
        result, _ = await call(client, "index_status")
        report.equal(result.structured_content["root"], str(place.shop), "the client's root")
        roots[:] = [uri(other)]
        await client.send_roots_list_changed()
        result, _ = await call(client, "find_symbol", {"name": "only_in_the_second"})
        report.equal(result.structured_content["n_matches"], 1, "the client's root after it changed")
        roots.append(uri(place.shop))
        await client.send_roots_list_changed()
        await several(client, place, other, "roots of the client")
    for given, kind in [
        ([], "not_indexed"),
        (["file://elsewhere/shop"], "usage"),
        ([uri(place.base / "gone")], "not_found"),
        ([uri(place.home)], "usage"),
        (["file:///"], "usage"),
    ]:
        async with stdio(place, roots=given) as client:
            await refused(client, "index_status", {}, kind, f"roots of the client {given}")
    async with stdio(place, roots=[uri(place.base / "gone"), uri(place.shop)]) as client:
        result, _ = await call(client, "index_status")
        report.check(not result.is_error, "a root that is gone does not keep another from being asked", text_of(result))
    async with stdio(place, "--root", place.shop, roots=[uri(other)]) as client:
        result, _ = await call(client, "index_status")
        report.equal(result.structured_content["root"], str(place.shop), "a root of the command line goes first")


async def of_modern_client(place):
    """The newest protocol has no requests of servers: roots are asked for within the answer of a call."""
    async with stdio(place, roots=[uri(place.shop)], mode=MODERN) as client:
        result, _ = await call(client, "index_status")
        root = (result.structured_content or {}).get("root")
        report.equal(root, str(place.shop), "the root of a client of the newest protocol")


async def several(client, place, other, what):
    error = await refused(client, "folder_search", {"question": "a"}, "usage", f"{what}: which one is not said")
    hint = error.get("hint") or ""
    report.check(str(place.shop) in hint and str(other) in hint, f"{what}: the hint names both", hint)
    for name in (other.name, str(other), uri(other)):
        result, _ = await call(client, "index_status", {"root": name})
        root = (result.structured_content or {}).get("root")
        report.equal(root, str(other), f"{what}: root {name}")
    result, _ = await call(client, "find_symbol", {"name": "only_in_the_second", "root": "shop"})
    report.equal(result.structured_content.get("symbols"), [], f"{what}: the other root has it not")
    await refused(client, "index_status", {"root": str(place.home)}, "forbidden", f"{what}: one that is not open")


async def served(place):
    """Several folders of one server."""
    other = place.base / "second shop"
    with serving(place, place.shop, other) as url:
        async with http(url) as client:
            await several(client, place, other, "several folders served")
    with serving(place, "--empty") as url:
        async with http(url) as client:
            await refused(client, "index_status", {}, "not_indexed", "a server without folders")
