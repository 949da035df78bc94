#!/usr/bin/env bash
# Installs the Chromium that test/browser runs in, from Debian's packages, where there is none.
set -euo pipefail

if [ -n "${CHROMIUM_PATH:-}" ] || command -v chromium || command -v chromium-browser || command -v google-chrome; then exit 0; fi

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium
