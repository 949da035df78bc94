#!/bin/sh
# Usage: install-image.sh PACKAGE.tgz ROOT. Installs the npm package into the root file system of an image, which has Node: into ROOT/app, with the
# command /usr/local/bin/tintype and the folder of its data. The Dockerfile and the test of the image (test/harness/image.ts) run it.
set -eu
app="$2/app"
mkdir -p "$app"
# No script of a package runs.
npm install --prefix "$app" --omit=dev --ignore-scripts --no-audit --no-fund --no-package-lock --no-update-notifier --loglevel=error "$1"
# The Node that an older one starts.
rm -r "$app"/node_modules/node-linux-* "$app/node_modules/.bin/node"
node "$(dirname "$0")/trim-packages.js" "$app/node_modules"
mkdir -p "$2/usr/local/bin"
ln -sf /app/node_modules/.bin/tintype "$2/usr/local/bin/tintype"
# What the service writes is in /data and /tmp, and the modules that its first start compiles.
install -d -o 1000 -g 1000 "$2/data" "$app/node_modules/.cache" "$app/node_modules/.cache/tintype"
chmod -R a+rX "$app"
