#!/usr/bin/env bash
# Checks docs/openapi.json with Spectral and Redocly. Both are downloaded by npx, because together they are 240 packages.
# The result of the last run is in docs/decisions/0040-named-schemas.md.
set -euo pipefail
cd "$(dirname "$0")/.."
config=$(mktemp --suffix=.yaml)
trap 'rm -f "$config"' EXIT
echo 'extends: ["spectral:oas"]' >"$config"
npx --yes --package @stoplight/spectral-cli@6.16.3 spectral lint --ruleset "$config" docs/openapi.json
npx --yes --package @redocly/cli@2.77.0 redocly lint --extends recommended docs/openapi.json
