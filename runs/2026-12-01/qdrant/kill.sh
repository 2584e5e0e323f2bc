#!/usr/bin/env bash
# Kills the server, then server and publishing process, in the midst of a publication, and looks whether anything is lost or doubled.
# kill.sh WHEREIN TREE INDEX_DIR START_SERVER (a command that starts the server in the foreground; it is killed by its name, qdrant)
set -uo pipefail
wherein=$1 tree=$2 index=$3 start=$4
http=http://localhost:6333 collection=kill-trial
publish=("$wherein" index --store qdrant --collection "$collection" --index-dir "$index")
count() { curl -s "$http/collections/$collection/points/count" -H 'content-type: application/json' -d '{"exact":true}'; echo; }
drop() { curl -s -X DELETE "$http/collections/$collection" >/dev/null; }
server() {
    # The lock of the one that was killed may be there for a moment.
    for _ in 1 2 3 4 5 6; do
        (setsid $start >/dev/null 2>&1 </dev/null &)
        sleep 5
        curl -s "$http" >/dev/null && return
    done
}
cd "$tree" || exit
drop
echo "1. the server is killed for 8 seconds, the run goes on by itself"
(sleep 10; pkill -9 -x qdrant; sleep 8; server) &
"${publish[@]}" 2>&1 | tail -1
wait
count
"${publish[@]}" 2>&1 | tail -1
drop
echo "2. server and run are killed, the next run goes on"
"${publish[@]}" >/dev/null 2>&1 &
run=$!
sleep 16
pkill -9 -x qdrant
kill -9 "$run"
wait "$run" 2>/dev/null
server
count
"${publish[@]}" 2>&1 | tail -1
count
"${publish[@]}" 2>&1 | tail -1
drop
