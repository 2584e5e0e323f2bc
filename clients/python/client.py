"""The official MCP client for Python drives `wherein mcp` and `wherein serve`.

WHEREIN_BIN names the program. Each tool is called over both transports and both ages of the protocol; the last line says how many
checks held. Words in the arguments pick groups by name.
"""

import asyncio
import logging
import os
import sys
import tempfile
import time
import warnings

import answers
import harness
import live
import roots
import wire

MODERN = "2026-07-28"


async def tools_over_stdio(place):
    for mode in ("legacy", "auto"):
        async with harness.stdio(place, "--root", place.shop, mode=mode) as client:
            harness.report.equal(client.protocol_version, version(mode), f"stdio ({mode}): the version")
            await answers.everything(client, f"stdio ({mode})")


async def tools_over_http(place):
    with harness.serving(place, place.shop) as url:
        for mode in ("legacy", "auto"):
            async with harness.http(url, mode) as client:
                harness.report.equal(client.protocol_version, version(mode), f"HTTP ({mode}): the version")
                await answers.everything(client, f"HTTP ({mode})")


def version(mode):
    return MODERN if mode == "auto" else "2025-11-25"


async def roots_of_all_kinds(place):
    await roots.no_folder(place)
    await roots.around(place)
    await roots.of_client(place)
    await roots.of_modern_client(place)
    await roots.served(place)


async def first_index(place):
    for over_http in (False, True):
        for mode in ("legacy", MODERN):
            await live.first_index(place, over_http, mode)


async def taken_back(place):
    for over_http in (False, True):
        for mode in ("legacy", MODERN):
            await live.taken_back(place, over_http, mode)


async def during_a_refresh(place):
    for over_http in (False, True):
        await live.during_a_refresh(place, over_http)


async def edits(place):
    for over_http in (False, True):
        for watches in (True, False):
            await live.edits(place, over_http, watches, "legacy")
    await live.edits(place, False, True, MODERN)


async def wire_of_http(place):
    await wire.sessions(place)
    await wire.token(place)


GROUPS = [tools_over_stdio, tools_over_http, roots_of_all_kinds, first_index, taken_back, during_a_refresh, edits, wire_of_http]


async def run(picked):
    report = harness.report
    with tempfile.TemporaryDirectory(prefix="wherein-clients-") as base:
        place = harness.Place(base)
        for group in GROUPS:
            if picked and not any(word in group.__name__ for word in picked):
                continue
            started, before = time.monotonic(), report.n_checks
            try:
                await group(place)
            except Exception as error:  # The other groups tell more.
                report.check(False, f"{group.__name__}: {type(error).__name__}", details(error))
            print(f"  {group.__name__}: {report.n_checks - before} checks, {time.monotonic() - started:.1f} s", flush=True)
    seconds, what = report.slowest_error
    print(f"  slowest error: {seconds * 1000:.0f} ms ({what})")
    print(f"python client: {report.n_checks - len(report.failures)} of {report.n_checks} checks hold")
    return 1 if report.failures else 0


def details(error):
    """What went wrong inside groups of tasks, too."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(details(inner) for inner in error.exceptions)
    return repr(error)


if __name__ == "__main__":
    if not os.path.isfile(harness.BINARY):
        sys.exit("WHEREIN_BIN must name the program")
    # Roots are old in the newest protocol; clients that exist have nothing else.
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", message=".*deprecated.*")
    # The library takes the 202 that ends a session for a failure, in words alone.
    logging.getLogger("mcp.client.streamable_http").setLevel(logging.ERROR)
    sys.exit(asyncio.run(run(sys.argv[1:])))
