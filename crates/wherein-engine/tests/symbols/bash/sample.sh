#!/usr/bin/env bash
# Ships a release: builds, signs, uploads.
set -euo pipefail

# Where builds are kept.
readonly BUILD_DIR="${TMPDIR:-/tmp}/build"
export RELEASE_CHANNEL=stable
declare -A mirrors=([eu]="https://eu.example.org" [us]='https://us.example.org')
retries=3
umfang=0

declare -r MAX_PARTS=4

source ./lib/common.sh

# Says something to whoever watches.
#
# Arguments: the words.
log() {
  local prefix="[$(date +%T)]"
  printf '%s %s\n' "$prefix" "$*"
}

function upload_artifact {
  local file=$1
  count=$((count + 1))
  # Inside a function.
  retry "$retries" curl --fail -T "$file" "${mirrors[eu]}" || {
    log "upload of $(basename "$file") failed"
    return 1
  }
}

function clean_up() (
  rm -rf "$BUILD_DIR"
)

# Baut alles für die Größe.
größe_messen() {
  inner_helper() {
    du -s "$1"
  }
  umfang=$(inner_helper "$BUILD_DIR")
  cat <<EOF
Größe: $(numfmt "$umfang")
EOF
  cat <<'RAW'
not $(called)
RAW
}

my-task::run() { echo "ok"; }

trap clean_up EXIT

if [[ "${1:-}" == "--help" ]]; then
  usage_text='Usage: release [--help]'
  echo "$usage_text"
fi

case "${1:-}" in
  upload) upload_artifact "$2" ;;
  *) log "nothing to do" | tee -a release.log ;;
esac
größe_messen
