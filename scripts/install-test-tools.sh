#!/usr/bin/env bash
# Installs the generators of clients in test/generated-clients. Where they are missing, also installs the programs that read PDF files in
# tests, and those that run the PHP and Ruby code of the documentation, from Debian's packages.
set -euo pipefail
(cd "$(dirname "$0")/../test/generated-clients" && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error)

missing=()
command -v pdfinfo >/dev/null || missing+=(poppler-utils)
command -v qpdf >/dev/null || missing+=(qpdf)
command -v php >/dev/null || missing+=(php-cli)
command -v ruby >/dev/null || missing+=(ruby)
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
