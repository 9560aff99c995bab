#!/usr/bin/env bash
# Lints the workflows and actions with actionlint, which needs Go; without Go, prints a message and does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v go >/dev/null; then
  echo "workflows: not linted, because Go is not here (actionlint)"
  exit 0
fi
go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
echo "workflows: actionlint finds nothing"
