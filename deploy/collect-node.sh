#!/bin/sh
# A root file system for Node, more programs, and nothing else: sh collect-node.sh <folder> <program> …
set -eu
out=$1
shift
node=/usr/local/bin/node
libraries=$(for program in "$node" "$@"; do ldd "$program" | grep -o '/[^ ]*'; done | sort -u)
mkdir -p "$out/etc" "$out/tmp" "$out/app" "$out/var/lib/dpkg/status.d"
chmod 1777 "$out/tmp"
for file in "$node" "$@" $libraries; do
  mkdir -p "$out$(dirname "$file")"
  cp --dereference "$file" "$out$file"
done

if [ -f /usr/local/LICENSE ]; then
  mkdir -p "$out/usr/share/doc/nodejs"
  cp /usr/local/LICENSE "$out/usr/share/doc/nodejs/copyright"
fi
cp --dereference /etc/os-release "$out/etc/os-release"
printf '%s\n' root:x:0:0::/:/sbin/nologin vds:x:10001:10001::/tmp:/sbin/nologin >"$out/etc/passwd"
printf '%s\n' root:x:0: vds:x:10001: >"$out/etc/group"
# Without it the C library would ask a name server before it looks into /etc/hosts.
echo 'hosts: files dns' >"$out/etc/nsswitch.conf"

# The packages that these files are of, where scanners look for them, with their licences where the base image has them.
for file in "$@" $libraries; do
  dpkg -S "$(readlink -f "$file")" 2>/dev/null || dpkg -S "$file" 2>/dev/null || true
done | sed 's/:.*//' | sort -u | while read -r package; do
  dpkg -s "$package" | grep -v '^Status:' >"$out/var/lib/dpkg/status.d/$package"
  if [ -f "/usr/share/doc/$package/copyright" ]; then
    mkdir -p "$out/usr/share/doc/$package"
    cp "/usr/share/doc/$package/copyright" "$out/usr/share/doc/$package/copyright"
  fi
done
