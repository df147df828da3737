#!/usr/bin/env node
// Exists before the build, so that pnpm can link the command during the installation.
import "../dist/cli.js";
