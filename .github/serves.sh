#!/usr/bin/env bash
# Runs a command that serves at port 8051, and succeeds as soon as the page answers there.
set -euo pipefail
"$@" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 300); do
    if curl --silent --fail http://127.0.0.1:8051/healthz; then exit 0; fi
    kill -0 "$server" || { echo "The command has ended."; exit 1; }
    sleep 2
done
echo "No page after ten minutes."
exit 1
