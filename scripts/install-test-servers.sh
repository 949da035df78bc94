#!/usr/bin/env bash
# Installs what `npm run test:matrix` starts, from Debian's packages, where it is missing: PostgreSQL, Ceph's S3 server,
# nginx, and mmdebstrap for the root file system of the image.
set -euo pipefail

missing=()
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
[ -x /usr/sbin/nginx ] || missing+=(nginx-light)
command -v mmdebstrap >/dev/null || missing+=(mmdebstrap)
command -v radosgw >/dev/null || missing+=(radosgw)
command -v ceph-mon >/dev/null || missing+=(ceph-mon)
command -v ceph-osd >/dev/null || missing+=(ceph-osd)
command -v ceph >/dev/null || missing+=(ceph-common)
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
