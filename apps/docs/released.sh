#!/usr/bin/env bash
# Prints, for a workflow, which versions of the contract were released (versions=…), and whether what is checked out is the
# latest of them and nothing more (ready=true), so that it may be published as such.
set -euo pipefail
cd "$(dirname "$0")/../.."

tag='@chain-query/openapi@'
versions=$(git tag --list "$tag*" | sed "s|^$tag||" | paste -sd, -)
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' openapi/package.json)
pending=$(find .changeset -name '*.md' ! -name README.md | wc -l)

ready=false
case ",$versions," in *",$version,"*) [ "$pending" -eq 0 ] && ready=true ;; esac
echo "versions=$versions"
echo "ready=$ready"
