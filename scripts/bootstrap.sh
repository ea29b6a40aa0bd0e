#!/bin/sh
# Runs one of the project's commands on Node 24, on a machine that has only Node 20 and npm: sh scripts/bootstrap.sh <verb> [arguments]
# First installs the packages and generates the database clients if they are missing or stale.
set -eu
cd "$(dirname "$0")/.."
info() { printf '%s\n' "bootstrap: $*" >&2; }
fail() { info "$*"; exit 1; }

verb=${1:-}
[ $# -eq 0 ] || shift
case $verb in
  vdsctl) entry=services/vdsctl/src/main.ts ;;
  secrets) entry=deploy/tools/secrets/main.ts ;;
  provision) entry=deploy/tools/provision/main.ts ;;
  chaos) entry=test-e2e/chaos/main.ts ;;
  *) entry=scripts/$verb.ts; [ -f "$entry" ] || entry=scripts/$verb/main.ts ;;
esac
[ -f "$entry" ] || fail "there is no verb '$verb'; the verbs are the scripts of package.json."
command -v node >/dev/null && command -v npx >/dev/null || fail "Node.js 20 or newer with npm is needed on PATH (Debian: apt-get install nodejs npm)."

# versitygw takes the longest of all programs: Go begins before everything else, and the installation waits for it.
build_versitygw() {
  tools=${VDS_TOOLS:-$HOME/.cache/vds-tools}
  ! command -v versitygw >/dev/null && [ ! -x "$tools/bin/versitygw" ] && command -v go >/dev/null || return 0
  module=$(sed -n "s/^  versitygw: '\(.*\)',$/\1/p" services/_testkit/programs/go-programs.ts)
  GOBIN="$tools/versitygw.part-$$" go install -ldflags '-s -w' "$module" >/dev/null 2>&1 &
  export VDS_VERSITYGW_BUILD=$!
  trap 'kill "$VDS_VERSITYGW_BUILD" 2>/dev/null; exit 130' INT TERM HUP
}

pnpm=${VDS_PNPM:-npx -y pnpm@12.21.0}
installed=node_modules/.vds-installed
wanted=$(cat pnpm-lock.yaml pnpm-workspace.yaml package.json */package.json deploy/tools/package.json services/*/package.json services/_chassis/patches/* | cksum)
if [ "$(cat "$installed" 2>/dev/null || true)" != "$wanted" ]; then
  case $verb in demo | dev | test | bench | servers | fuzz | hostile | chaos) build_versitygw ;; esac
  info "installing packages (pnpm install --frozen-lockfile) …"
  $pnpm install --frozen-lockfile --loglevel=warn >&2 || fail "'$pnpm install --frozen-lockfile' failed (see above); it needs the npm registry."
  printf '%s\n' "$wanted" >"$installed"
fi

# On Linux the packages include Node 24; elsewhere it must be installed.
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)' ||
  fail "Node.js 24 or newer is needed on PATH on this platform (found $(node --version)); only on Linux it is installed with the packages."

generate_client() {
  log=$(cd "$1" && DATABASE_URL=postgresql://unused node_modules/.bin/prisma generate 2>&1) || fail "prisma generate failed in $1: $log"
  printf '%s\n' "$2" >"$1/generated/prisma/.generated-from"
}

# Side by side: each takes seconds.
generating=
for schema in services/*/prisma/schema.prisma; do
  grep -q '"#prisma"' "${schema%/prisma/schema.prisma}/package.json" 2>/dev/null || continue
  package=${schema%/prisma/schema.prisma}
  current=$(cat "$schema" "$package/package.json" pnpm-lock.yaml | cksum)
  stamp=$package/generated/prisma/.generated-from
  [ "$(cat "$stamp" 2>/dev/null || true)" = "$current" ] && [ -f "$package/generated/prisma/client.ts" ] && continue
  info "generating the database client of $package …"
  generate_client "$package" "$current" &
  generating="$generating $!"
done
for one in $generating; do wait "$one" || exit 1; done

# Caches stripped types and byte code, so that every start but the first is fast.
export NODE_COMPILE_CACHE="$PWD/.vds/compile-cache"
exec node --enable-source-maps "$entry" "$@"
