#!/bin/sh
# Leaves out of a Debian system what no container of ours uses. It runs once, while the image is built.
set -eu
# Drivers of graphics cards and their compiler, which the display output of ffplay wants: no container has a display.
for package in $(dpkg-query -W -f '${Package}\n' 'libgl1-mesa-dri' 'mesa-libgallium' 'mesa-vulkan-drivers' 'libllvm*' 'libz3-*' 2>/dev/null); do
  dpkg --purge --force-depends "$package"
done
# Package managers of the base image.
rm -rf /usr/local/lib/node_modules /opt/yarn* /root/.npm /root/.cache
rm -f /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
# Papers, but for licences; messages in other languages; caches and logs, which hold times.
find /usr/share/doc -type f ! -name copyright -delete
rm -rf /usr/share/man /usr/share/info /usr/share/locale /usr/share/lintian /usr/share/doc-base
rm -rf /var/cache/apt /var/cache/debconf /var/cache/ldconfig /var/log /var/lib/dpkg/*-old /tidy-debian.sh /tmp/*
mkdir -p /var/log /var/cache/apt/archives/partial
rm -f /etc/apt/apt.conf.d/99-host /etc/apt/sources.list.d/host.list
# Nobody becomes root in it.
find / -xdev -type f -perm /6000 -exec chmod a-s {} +
grep -q '^vds:' /etc/passwd || echo vds:x:10001:10001::/tmp:/sbin/nologin >>/etc/passwd
grep -q '^vds:' /etc/group || echo vds:x:10001: >>/etc/group
# What is left must be enough.
for program in ffmpeg ffprobe; do "$program" -v error -version >/dev/null; done
ffmpeg -v error -f lavfi -i testsrc2=d=0.2:s=64x64 -c:v libx264 -f null -
tesseract --version >/dev/null && apertium -l >/dev/null && python3 -c 'import json'
