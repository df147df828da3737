#!/usr/bin/env node
// Stands here before anything is built, so that installing the workspace can link the command.
import { checkNodeVersion } from "@chain-query/command-line/node-version";

if (checkNodeVersion("chain-query", ["20.19", "22.12"])) import("../dist/cli.js");
