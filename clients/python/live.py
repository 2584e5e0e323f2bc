"""Checks of an index that is being made and of files that change: progress, early answers, questions taken back, edits."""

import anyio

from harness import call, http, report, serving, stdio, text_of

# Enough that a first index takes a while.
N_FILES = 3000


def big_tree(folder):
    """Many small files, each with a function of its own, and one that a question means."""
    for idx in range(N_FILES):
        file = folder / f"part{idx // 100:02}" / f"step_{idx}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"def step_{idx}_{n}(value):\n    \"\"\"Step {n} of {idx}.\"\"\"\n    return value * {idx + n}\n" for n in range(8)]
        file.write_text("\n\n".join(lines), encoding="utf-8")
    (folder / "last.py").write_text("def the_last_word():\n    return 'amen'\n", encoding="utf-8")


async def first_index(place, over_http, mode):
    """Who waits for a first index is told how far it is; who has no patience is answered with what there is."""
    what = f"a first index over {'HTTP' if over_http else 'stdio'} ({mode})"
    folder = place.base / f"big-{place.next_name()}"
    big_tree(folder)
    arguments = ["--no-watch", "--index-dir", place.base / f"index-{folder.name}"]
    if over_http:
        with serving(place, "--patience", "0.3", *arguments, folder) as url:
            async with http(url, mode) as client:
                await early(client, what)
        with serving(place, "--patience", "120", *arguments, folder) as url:
            async with http(url, mode) as client:
                await until_ready(client, what)
    else:
        async with stdio(place, "--patience", "0.3", "--root", folder, *arguments, mode=mode) as client:
            await early(client, what)
        async with stdio(place, "--patience", "120", "--deadline", "120", "--root", folder, *arguments, mode=mode) as client:
            await until_ready(client, what)


async def early(client, what):
    result, seconds = await call(client, "folder_search", {"question": "the last word"})
    degraded = (result.structured_content or {}).get("degraded", [])
    report.check(not result.is_error, f"{what}: an early answer", text_of(result))
    report.check(any("indexing" in line for line in degraded), f"{what}: an early answer says so", degraded)
    report.check("note: indexing" in text_of(result), f"{what}: its text says so", text_of(result))
    report.check(seconds < 5, f"{what}: an early answer is early", seconds)
    print(f"  {what}: answered early after {seconds:.2f} s: {degraded}")
    result, _ = await call(client, "index_status")
    report.check("indexing" in result.structured_content["state"], f"{what}: the status says so", text_of(result))


async def until_ready(client, what):
    told = []

    async def on_progress(progress, total, message):
        told.append((progress, message))

    result, seconds = await call(client, "find_symbol", {"name": "the_last_word"}, progress_callback=on_progress)
    report.equal((result.structured_content or {}).get("n_matches"), 1, f"{what}: the whole answer")
    report.equal((result.structured_content or {}).get("degraded"), [], f"{what}: nothing is missing")
    report.check(len(told) >= 2, f"{what}: progress is told", told)
    numbers = [progress for progress, _ in told]
    report.check(all(a < b for a, b in zip(numbers, numbers[1:])), f"{what}: progress grows", numbers)
    report.check(all(message and "indexing" in message for _, message in told), f"{what}: progress is worded", told[:3])
    print(f"  {what}: whole after {seconds:.2f} s, {len(told)} notices, last {told[-1:]}")


async def taken_back(place, over_http, mode):
    """A question that is taken back ends, and the server goes on."""
    what = f"a question taken back over {'HTTP' if over_http else 'stdio'} ({mode})"
    folder = place.base / f"big-{place.next_name()}"
    big_tree(folder)
    arguments = ["--patience", "120", "--deadline", "120", "--index-dir", place.base / f"index-{folder.name}"]
    if over_http:
        with serving(place, *arguments, folder) as url:
            async with http(url, mode) as client:
                await take_back(client, what)
    else:
        async with stdio(place, "--root", folder, *arguments, mode=mode) as client:
            await take_back(client, what)


async def take_back(client, what):
    with anyio.move_on_after(0.2) as scope:
        await client.call_tool("folder_search", {"question": "the last word"})
    report.check(scope.cancelled_caught, f"{what}: it was under way")
    result, seconds = await call(client, "index_status")
    report.check(not result.is_error, f"{what}: the next one is answered", text_of(result))
    report.check(seconds < 5, f"{what}: the next one is answered soon", seconds)
    state = (result.structured_content or {}).get("state", "")
    report.check("indexing" in state or state == "ready", f"{what}: the index goes on", state)


async def edits(place, over_http, watches, mode):
    """A file that changed is found by the next question, one that went is not."""
    what = f"edits over {'HTTP' if over_http else 'stdio'} ({'watched' if watches else 'not watched'}, {mode})"
    flags = [] if watches else ["--no-watch"]
    if over_http:
        with serving(place, *flags, place.shop) as url:
            async with http(url, mode) as client:
                await edit(client, place.shop, what)
    else:
        async with stdio(place, "--root", place.shop, *flags, mode=mode) as client:
            await edit(client, place.shop, what)


async def edit(client, folder, what):
    async def places(tool, arguments, of):
        result, _ = await call(client, tool, arguments)
        found = (result.structured_content or {}).get(of, [])
        return [(hit["path"], hit.get("start_line", hit.get("line"))) for hit in found]

    await places("folder_search", {"question": "warm up"}, "hits")
    new, old = folder / "src" / "tide.py", folder / "src" / "orders.py"
    before = old.read_text(encoding="utf-8")
    try:
        for line in (1, 4):
            new.write_text("#\n" * (line - 1) + "def moon_pulls_water():\n    return 'tide'\n", encoding="utf-8")
            found = await places("find_symbol", {"name": "moon_pulls_water"}, "symbols")
            report.equal(found, [("src/tide.py", line)], f"{what}: a definition at line {line}")
        found = await places("folder_search", {"question": "moon pulls water"}, "hits")
        report.equal(found[:1] and found[0][0], "src/tide.py", f"{what}: by meaning")
        old.write_text(before + "\n\nmoon_pulls_water()\n", encoding="utf-8")
        found = await places("find_usages", {"name": "moon_pulls_water"}, "usages")
        report.equal(found, [("src/orders.py", 17)], f"{what}: a usage")
        found = await places("exact_search", {"text": "moon_pulls_water()"}, "hits")
        report.equal(found, [("src/orders.py", 17), ("src/tide.py", 4)], f"{what}: to the letter")
        new.unlink()
        found = await places("find_symbol", {"name": "moon_pulls_water"}, "symbols")
        report.equal(found, [], f"{what}: what went")
        deep = folder / "new" / "deep" / "sea.py"
        deep.parent.mkdir(parents=True)
        deep.write_text("def abyss_light():\n    pass\n", encoding="utf-8")
        found = await places("find_symbol", {"name": "abyss_light"}, "symbols")
        report.equal(found, [("new/deep/sea.py", 1)], f"{what}: in a new folder")
        deep.write_text("\n\ndef abyss_light():\n    pass\n", encoding="utf-8")
        found = await places("find_symbol", {"name": "abyss_light"}, "symbols")
        report.equal(found, [("new/deep/sea.py", 3)], f"{what}: changed in a new folder")
        deep.unlink()
        deep.parent.rmdir()
        deep.parent.parent.rmdir()
    finally:
        new.unlink(missing_ok=True)
        old.write_text(before, encoding="utf-8")


async def during_a_refresh(place, over_http):
    """A question that comes while many changes are being taken in waits for them, or says that they are not."""
    what = f"a question during a refresh over {'HTTP' if over_http else 'stdio'}"
    folder = place.base / f"busy-{place.next_name()}"
    big_tree(folder)
    arguments = ["--patience", "60", "--deadline", "60"]
    if over_http:
        with serving(place, *arguments, folder) as url:
            async with http(url) as client:
                await ask_during_refresh(client, folder, what)
    else:
        async with stdio(place, "--root", folder, *arguments) as client:
            await ask_during_refresh(client, folder, what)


async def ask_during_refresh(client, folder, what):
    while (await call(client, "reindex"))[0].structured_content["state"] != "ready":
        await anyio.sleep(0.1)
    for idx in range(N_FILES):
        file = folder / f"part{idx // 100:02}" / f"step_{idx}.py"
        file.write_text(file.read_text(encoding="utf-8") + f"\n\ndef tail_of_{idx}():\n    pass\n", encoding="utf-8")
    # The server gathers events until they pause; then it reads, and that is when these come.
    for _ in range(12):
        await anyio.sleep(0.2)
        result, seconds = await call(client, "find_symbol", {"name": f"tail_of_{N_FILES - 1}"})
        structured = result.structured_content or {}
        is_honest = structured.get("n_matches") == 1 or bool(structured.get("degraded"))
        report.check(is_honest, f"{what}: what was written before is found, or the answer says that it is late", f"{seconds:.2f} s: {text_of(result)}")
