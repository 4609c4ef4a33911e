#!/usr/bin/env bash
# Both commands of the README from a fresh clone on a machine that has python3, python3-venv, make and git, with
# times: `tools/fresh_clone.sh REPOSITORY FOLDER`. How it was run in a new Debian stands in docs/fresh-clone.md.
set -u
repository=$1 folder=$2
git clone -q "$repository" "$folder/main" || exit 1
cd "$folder/main" || exit 1
echo "$(. /etc/os-release && echo "$PRETTY_NAME"), $(python3 --version), $(make --version | head -1)"

run() {
  local began log="$folder/run-$1.log" pid
  began=$(date +%s.%N)
  setsid make run >"$log" 2>&1 &
  pid=$!
  until grep -q "listening on" "$log"; do
    kill -0 "$pid" 2>/dev/null || { echo "make run ended"; tail -5 "$log"; return 1; }
    sleep 0.2
  done
  python3 - "$log" "$1" "$began" <<'P'
import json, re, sys, time, urllib.request

log, name, began = sys.argv[1:]
print(f"make run, {name}: listening after {time.time() - float(began):.1f} s")
url = re.search(r"listening on (\S+)", open(log).read())[1]
page = urllib.request.urlopen(url).read().decode()
script = urllib.request.urlopen(url + re.search(r'src="(/assets/[^"]+\.js)"', page)[1]).read()
tables = json.load(urllib.request.urlopen(url + "/api/lobby"))["tables"]
print(f"  {len(tables)} tables, a lobby of {len(page)} bytes, a client that begins with {len(script)} bytes")
P
  sleep 2
  kill -INT -- "-$pid"
  wait "$pid"
}

run "the first time"
run "again"
began=$(date +%s)
.ci/run >"$folder/test.log" 2>&1
echo ".ci/run: exit code $?, $(($(date +%s) - began)) s"
grep -E "[0-9]+ (passed|failed)" "$folder/test.log" | tail -1
