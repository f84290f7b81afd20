#!/bin/sh
# Installs cops for one user: fetches the executable and its checksums, compares, tries it, and puts it in place.
#   sh install.sh <address of the release> [folder]      the folder is ~/.local/bin unless named
# An older cops is replaced whole, at the end and at once, or stays as it is. Pages of the manual and notices of licences
# go to share/ beside a folder that is called bin. To remove cops: cops reset --everything, then delete what is listed.
set -eu

PATIENCE=${COPS_INSTALL_PATIENCE:-30}

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
case "$PATIENCE" in *[!0-9]* | '' | 0) fail "COPS_INSTALL_PATIENCE is a number of seconds" ;; esac

system="$(uname -s) on $(uname -m)"
with_node="with Node 20.18 or newer: npm install -g <the .tgz of the release>"
case "$system" in
"Linux on x86_64") file=cops-linux-x64 ;;
"Linux on aarch64" | "Linux on arm64") file=cops-linux-arm64 ;;
"Darwin on arm64") file=cops-macos-arm64 ;;
"Darwin on x86_64") file=cops-macos-x64 ;;
*) fail "there is no executable for $system; $with_node" ;;
esac

if command -v curl >/dev/null 2>&1; then
  if [ -t 2 ]; then shown=--progress-bar; else shown=--silent; fi
  fetch() {
    curl --fail $shown --show-error --location --proto-redir =https --connect-timeout "$PATIENCE" \
      --speed-limit 1 --speed-time "$PATIENCE" --output "$2" "$1"
  }
  meaning() {
    case "$1" in
    22) echo "the server does not have it" ;;
    23) echo "it cannot be written: $(room)" ;;
    28) echo "the server sent nothing for $PATIENCE seconds" ;;
    18) echo "the server ended it too early" ;;
    *) echo "curl ends with $1" ;;
    esac
  }
elif command -v wget >/dev/null 2>&1; then
  if [ -t 2 ]; then shown=--show-progress; else shown=--no-verbose; fi
  # It cannot be told to stay with https where it is sent on.
  fetch() {
    wget --quiet $shown --max-redirect=0 --tries=1 --timeout="$PATIENCE" --output-document="$2" "$1"
  }
  meaning() {
    case "$1" in
    1 | 2) echo "this wget lacks what is needed, or cannot write ($(room)): install curl" ;;
    3) echo "it cannot be written: $(room)" ;;
    4) echo "the server cannot be reached, or sent nothing for $PATIENCE seconds" ;;
    8) echo "the server does not have it" ;;
    *) echo "wget ends with $1" ;;
    esac
  }
else
  fail "curl or wget is needed"
fi
if command -v sha256sum >/dev/null 2>&1; then
  sum_of() { sha256sum "$1" | cut -d ' ' -f 1; }
else
  sum_of() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
fi
room() { df -Pk "$folder" 2>/dev/null | awk -v folder="$folder" 'NR == 2 { print $4 " KB are free for " folder }'; }

# All that can be wrong with the place is said before anything is fetched.
[ ! -e "$folder" ] || [ -d "$folder" ] || fail "$folder is a file, not a folder"
mkdir -p "$folder" 2>/dev/null || fail "$folder cannot be made"
[ ! -d "$folder/cops" ] || fail "$folder/cops is a folder: move it away, or name another folder after the address"
work=$(mktemp -d "$folder/.cops-install-XXXXXX" 2>/dev/null) || fail "$folder cannot be written to: $(room)"
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

get() {
  status=0
  fetch "$source/$1" "$work/$1" || status=$?
  [ "$status" = 0 ] || fail "$source/$1 was not fetched: $(meaning "$status"). Nothing was installed."
}
named() { awk -v file="$1" '$2 == file || $2 == "*" file { print $1 }' "$work/SHA256SUMS"; }
checked() {
  get "$1"
  found=$(sum_of "$work/$1")
  [ "$found" = "$(named "$1")" ] || fail "the checksum of $1 is $found, not $(named "$1"): nothing was installed"
}

get SHA256SUMS
[ -n "$(named "$file")" ] || fail "this release has no executable for $system (SHA256SUMS does not name $file); $with_node"
say "Fetching $file…"
checked "$file"
share=
case "$folder" in
*/bin)
  if [ -n "$(named cops-share.tar.gz)" ]; then
    checked cops-share.tar.gz
    tar -xzf "$work/cops-share.tar.gz" -C "$work" || fail "cops-share.tar.gz cannot be unpacked: $(room)"
    share=${folder%/bin}/share
  fi
  ;;
esac

program=$work/$file
chmod 755 "$program"
if [ "$(uname -s)" = Darwin ]; then codesign --force --sign - "$program" 2>/dev/null || true; fi
# It is tried here, in the temporary folder, and what a system may lack is named with its cure.
if ! version=$(LC_ALL=C "$program" --version 2>"$work/said"); then
  sed 's/^/  /' "$work/said" >&2
  case "$(cat "$work/said")" in
  *libatomic.so*) cure="install the library: apt-get install libatomic1, or dnf install libatomic" ;;
  *libstdc++.so*) cure="install the library: apt-get install libstdc++6, or dnf install libstdc++" ;;
  *libgcc_s.so*) cure="install the library: apt-get install libgcc-s1, or dnf install libgcc" ;;
  *GLIBC*) cure="it needs glibc 2.28 or newer; $with_node" ;;
  *"ermission denied"*) cure="programs may not run in $folder: name another folder after the address" ;;
  *"not found"* | *"No such file"*) cure="it needs glibc, which this system (musl?) does not have; $with_node" ;;
  *) cure=$with_node ;;
  esac
  fail "$file does not run on this machine: nothing was installed. The cure: $cure"
fi

# One rename: whoever calls cops meets the old one or the new one.
mv -f "$program" "$folder/cops" || fail "$folder/cops cannot be replaced: it is as it was"
say "cops $version is installed in $folder."
if [ -n "$share" ]; then
  if mkdir -p "$share" 2>/dev/null && cp -R "$work/share/." "$share/" 2>/dev/null; then
    say "Its pages (man cops), completions and notices are in $share."
  else
    say "Its pages were not put into $share: $(room)."
  fi
fi
case ":$PATH:" in
*":$folder:"*) ;;
*) say "Add $folder to PATH to call it by its name." ;;
esac
