#!/usr/bin/env bash
# Makes the folder that is published: the pages of the newest released version at its root, and those of every released version below
# v/, each built from its tag. Prints ready=false, and makes nothing, if the checked-out state is not the newest release.
# usage: publish.sh FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$1
tag='@chain-query/openapi@'
versions=$(git -C "$root" tag --list "$tag*" --sort=-version:refname | sed "s|^$tag||")
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/openapi/package.json")
pending=$(find "$root/.changeset" -name '*.md' ! -name README.md | wc -l)

if [ "$pending" -ne 0 ] || [ "$(head -n 1 <<<"$versions")" != "$version" ]; then
  echo ready=false
  exit
fi
list=$(paste -sd, - <<<"$versions")

# Builds the site of a checkout. Arguments: checkout, folder, flags.
build() {
  (
    cd "$1"
    npx --yes pnpm@12.21.0 install --frozen-lockfile
    npx --yes pnpm@12.21.0 build --filter=@chain-query/docs
    npx --yes pnpm@12.21.0 --filter @chain-query/docs build --out "$2" --versions "$list" "${@:3}"
  ) >&2
}

build "$root" "$out"
for one in $versions; do
  checkout=$(mktemp -d)
  git -C "$root" worktree add --quiet --detach "$checkout" "$tag$one"
  build "$checkout" "$out/v/$one" --archive
  git -C "$root" worktree remove --force "$checkout"
done
echo ready=true
