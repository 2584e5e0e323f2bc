#!/usr/bin/env python3
"""How long questions take over HTTP: of servers in turns, so that what else the machine does hits all alike.

usage: ask.py SUITE.json ROUNDS NAME=http://host:port …

Asks each server the questions of a suite, one at a time, all servers the same question one after another; prints the median
and the 95th and 99th of 100 of each, after one round that is not counted.
"""
import json, statistics, sys, time, urllib.parse, urllib.request


def ask(base, question):
    url = f"{base}/api/search?{urllib.parse.urlencode({'q': question})}"
    started = time.perf_counter()
    with urllib.request.urlopen(url) as answer:
        body = json.load(answer)
    return (time.perf_counter() - started) * 1000, body


def main():
    suite, rounds = json.load(open(sys.argv[1])), int(sys.argv[2])
    servers = dict(one.split("=", 1) for one in sys.argv[3:])
    questions = [q["question"] for q in suite["questions"]]
    times, degraded = {name: [] for name in servers}, {name: 0 for name in servers}
    for at in range(rounds + 1):
        for question in questions:
            for name, base in servers.items():
                ms, body = ask(base, question)
                if at:
                    times[name].append(ms)
                    degraded[name] += bool(body.get("degraded"))
    for name, own in times.items():
        cut = statistics.quantiles(own, n=100)
        print(f"{name}: {len(own)} questions, p50 {statistics.median(own):.1f} ms, p95 {cut[94]:.1f}, p99 {cut[98]:.1f}, degraded {degraded[name]}")


main()
