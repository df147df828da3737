#!/usr/bin/env node
// Stands here before anything is built, so that installing the workspace can link the command.
import "../dist/cli.js";
