#!/usr/bin/env bash
# Certifies the built emulator with the built command: once as an emulator, with its control plane and a fixed seed, and
# once as a deployment that a target file describes, with a new seed, which the command prints.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp)
node dist/cli.js start --port 0 --json >"$log" &
emulator=$!
trap 'kill "$emulator"; rm -f "$log"' EXIT
for _ in $(seq 100); do
  [ -s "$log" ] && break
  sleep 0.1
done
url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$log")

node dist/cli.js certify "$url" --emulator --seed 1 --report-dir reports/certify-emulator
DEMO_PASSWORD=demo-password node dist/cli.js certify "$url" --target fixtures/samples/demo-target.yaml \
  --report-dir reports/certify-target
