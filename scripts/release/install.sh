#!/bin/sh
# Installs cops for one user: fetches the executable and its checksums, compares, and puts it in place.
#   sh install.sh <address of the release> [folder]      the folder is ~/.local/bin unless named
# Nothing is put in place when the checksum differs. To remove cops: cops reset --everything, then delete the file.
set -eu

say() { printf '%s\n' "$*" >&2; }
fail() { say "install: $*"; exit 1; }

[ $# -ge 1 ] || fail "name the address of the release: sh install.sh https://downloads.example.com/cops"
source=${1%/}
folder=${2:-"$HOME/.local/bin"}
# A name before an @ is a user, whatever it looks like: the host stands behind it.
host=${source#*://}
host=${host%%[/?#]*}
case "$host" in
*[@\\]* | '') fail "$source is not the address of a host alone" ;;
esac
case "$source" in
https://*) ;;
http://*)
  case "${host%%:*}" in
  127.0.0.1 | localhost) ;;
  *) fail "$source is not https" ;;
  esac
  port=${host#*:}
  case "$port" in *[!0-9]* | '') fail "$source is not https" ;; esac
  ;;
*) fail "$source is not https" ;;
esac

case "$(uname -s)-$(uname -m)" in
Linux-x86_64) file=cops-linux-x64 ;;
Darwin-arm64) file=cops-macos-arm64 ;;
*) fail "there is no executable for $(uname -s) on $(uname -m); with Node 20.18 or newer: npm install -g <the .tgz of the release>" ;;
esac

if command -v curl >/dev/null 2>&1; then
  fetch() { curl --fail --silent --show-error --location --proto-redir =https --output "$2" "$1"; }
elif command -v wget >/dev/null 2>&1; then
  # It cannot be told to stay with https where it is sent on.
  fetch() { wget --quiet --max-redirect=0 --output-document="$2" "$1"; }
else
  fail "curl or wget is needed"
fi
if command -v sha256sum >/dev/null 2>&1; then
  sum_of() { sha256sum "$1" | cut -d ' ' -f 1; }
else
  sum_of() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
fi

mkdir -p "$folder"
work=$(mktemp -d "$folder/.cops-install-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fetch "$source/SHA256SUMS" "$work/SHA256SUMS" || fail "$source/SHA256SUMS cannot be read"
wanted=$(awk -v file="$file" '$2 == file || $2 == "*" file { print $1 }' "$work/SHA256SUMS")
[ -n "$wanted" ] || fail "SHA256SUMS does not name $file"
fetch "$source/$file" "$work/cops" || fail "$source/$file cannot be read"
found=$(sum_of "$work/cops")
[ "$found" = "$wanted" ] || fail "the checksum of $file is $found, not $wanted: nothing was installed"

chmod 755 "$work/cops"
if [ "$(uname -s)" = Darwin ]; then codesign --force --sign - "$work/cops" 2>/dev/null || true; fi
"$work/cops" --version >/dev/null || fail "$file does not run on this machine: nothing was installed"
mv -f "$work/cops" "$folder/cops"
say "cops $("$folder/cops" --version) is installed in $folder."
case ":$PATH:" in
*":$folder:"*) ;;
*) say "Add $folder to PATH to call it by its name." ;;
esac
