#!/usr/bin/env bash
# Kills the server, then the publishing process, in the midst of a publication, and looks whether anything is lost or doubled.
# kill.sh WHEREIN TREE INDEX_DIR START_SERVER (a command that starts the server in the foreground; it is killed by name)
set -euo pipefail
wherein=$1 tree=$2 index=$3 start=$4
url=${WHEREIN_QDRANT_URL:-http://localhost:6334} collection=kill-trial
export WHEREIN_QDRANT_URL=$url
publish=("$wherein" index --store qdrant --collection "$collection" --index-dir "$index")
count() { curl -s "http://localhost:6333/collections/$collection/points/count" -H 'content-type: application/json' -d '{"exact":true}'; echo; }
server() { setsid $start >/dev/null 2>&1 </dev/null & sleep 4; }
cd "$tree"
curl -s -X DELETE "http://localhost:6333/collections/$collection" >/dev/null
echo "1. the server is killed for 8 seconds, the run goes on by itself"
(sleep 6; pkill -9 -x qdrant; sleep 8; server) &
"${publish[@]}" 2>&1 | tail -2
wait
count
"${publish[@]}" 2>&1 | tail -1
curl -s -X DELETE "http://localhost:6333/collections/$collection" >/dev/null
echo "2. server and run are killed, the next run goes on"
"${publish[@]}" >/dev/null 2>&1 &
sleep 8
pkill -9 -x qdrant
kill -9 $!
wait $! 2>/dev/null || true
server
count
"${publish[@]}" 2>&1 | tail -2
count
"${publish[@]}" 2>&1 | tail -1
curl -s -X DELETE "http://localhost:6333/collections/$collection" >/dev/null
