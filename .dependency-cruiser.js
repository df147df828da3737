/**
 * The layers of the repository, top first. A package, or a part of a package, imports only from the rows below its own.
 * `pnpm lint:layers` checks them with dependency-cruiser; type imports count. Biome's `noImportCycles` knows no layers, and
 * `turbo boundaries` no folders inside a package.
 */
const packages = [
  ["tools"],
  ["docs", "server"],
  ["conformance", "cli"],
  ["client"],
  ["mock", "indexer"],
  ["postgres-store"],
  ["lite"],
  ["local-chain"],
  ["proof"],
  ["types", "format"],
  ["openapi", "command-line", "testing"],
];

/** Folders and files of `src`, by package. */
const parts = {
  "packages/format": [
    ["store"],
    ["blocks"],
    ["states"],
    ["accounts", "transactions"],
    ["messages", "validator-groups"],
    ["currencies", "identifiers", "validators"],
    ["dictionaries"],
    ["async", "cells"],
    ["error", "platform"],
  ],
  "packages/lite": [
    ["index", "cli", "metrics"],
    ["command"],
    ["lite-proofs"],
    ["chain-reader", "lite-files"],
    ["lite-client"],
    ["read"],
    ["head"],
    ["servers", "faults"],
    ["proof", "answers"],
    ["proving"],
    ["wire/index"],
    ["wire/adnl"],
    ["wire/tl"],
    ["wire/lite-error"],
  ],
  "packages/local-chain": [
    ["index", "cli", "testing"],
    ["command", "scenario"],
    ["verify"],
    ["production"],
    ["traffic", "reading"],
    ["genesis"],
    ["store"],
    ["execution", "contracts", "random", "domain"],
  ],
  "packages/postgres-store": [
    ["index"],
    ["verify", "index-status"],
    ["reading"],
    ["api-keys", "signed-fork"],
    ["writing"],
    ["partitions"],
    ["migrate"],
    ["database"],
    ["types"],
  ],
  "apps/indexer": [["index", "cli"], ["command"], ["observability"], ["monitor"], ["run-indexer"], ["step-batches", "sources"]],
  "apps/server": [
    ["index", "cli"],
    ["command"],
    ["processes"],
    ["app"],
    ["routes"],
    ["answer-proof"],
    ["handlers", "status"],
    ["answer-cache", "observability"],
    ["sources"],
    ["limits", "serve-options", "decorate"],
    ["shared-work"],
    ["deadline", "query-budget", "request-head"],
    ["failure", "ticks"],
  ],
};

/** Matches a package by its folder or, if it is not built, by its name. */
const packagePattern = (names) => `^(?:packages/|apps/|@chain-query/)?(${names.join("|")})(?:/|$)`;
const partPattern = (folder, names) => `^${folder}/src/(${names.join("|")})(?:/|\\.ts$)`;

/** One rule per row: no import from the rows above, nor from a neighbour in the same row. */
function downwards(name, rows, pattern) {
  return rows.map((row, index) => ({
    name: `${name}: ${row.join(", ")}`,
    comment: "A layer imports only from the layers below it; see .dependency-cruiser.js.",
    severity: "error",
    from: { path: pattern(row) },
    to: { path: pattern(rows.slice(0, index + 1).flat()), pathNot: pattern(["$1"]) },
  }));
}

/** A file or folder that stands in no row would not be checked. */
function inSomeRow(folder, names) {
  return {
    name: `${folder}: no row`,
    comment: "Name the file or folder in a row of `parts` in .dependency-cruiser.js.",
    severity: "error",
    from: { path: `^${folder}/src/`, pathNot: partPattern(folder, names) },
    to: {},
  };
}

const home = "^((?:packages|apps)/[^/]+|openapi)/";

export default {
  forbidden: [
    ...downwards("packages", packages, packagePattern),
    ...Object.entries(parts).flatMap(([folder, rows]) => downwards(folder, rows, (names) => partPattern(folder, names))),
    ...Object.entries(parts).map(([folder, rows]) => inSomeRow(folder, rows.flat())),
    {
      name: "lite: the client and the server share only wire",
      severity: "error",
      from: { path: "^packages/lite/src/(command|lite-client|read|head|servers|proof)(?:/|\\.ts$)" },
      to: { path: "^packages/lite/src/(answers|faults)/" },
    },
    {
      name: "lite: only tests make a chain",
      severity: "error",
      from: { path: "^packages/lite/", pathNot: "^packages/lite/test/" },
      to: { path: packagePattern(["local-chain"]) },
    },
    {
      name: "server: only the composition knows the stores",
      comment: "The rest reads the port `ChainReader` of format.",
      severity: "error",
      from: {
        path: "^apps/server/src/",
        pathNot:
          "^apps/server/src/(processes|sources|command|status|observability)/|^apps/server/src/(query-budget|serve-options|limits/postgres-api-keys)\\.ts$",
      },
      to: { path: packagePattern(["lite", "local-chain", "postgres-store"]), dependencyTypesNot: ["type-only"] },
    },
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-path-out-of-a-package",
      comment: "Packages import each other by name, through their exports.",
      severity: "error",
      from: { path: home },
      to: { dependencyTypes: ["local"], pathNot: ["^$1/", "^vitest\\.config\\.ts$", "^package\\.json$"] },
    },
    {
      name: "no-import-past-exports",
      severity: "error",
      from: {},
      to: { path: "^@chain-query/[^/]+/(src|dist|test|bench|fuzz)(/|$)" },
    },
    {
      name: "source-imports-no-tests",
      severity: "error",
      from: { path: `${home}(src|bin)/` },
      to: { path: "^$1/(test|bench|fuzz|matrix)/" },
    },
    {
      name: "benches-import-no-tests",
      severity: "error",
      from: { path: `${home}(bench|fuzz|matrix)/` },
      to: { path: "^$1/test/" },
    },
    {
      name: "benches-use-exports",
      severity: "error",
      from: { path: `${home}(bench|fuzz|matrix)/` },
      // The docs export this source itself; the bench of postgres-store measures parts of the writer.
      to: { path: "^$1/src/", pathNot: "^(apps/docs/src/serve\\.ts$|packages/postgres-store/src/)" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "(^|/)(node_modules|dist)/" },
    exclude: { path: "\\.gen\\.ts$" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
      extensions: [".ts", ".js", ".json"],
    },
  },
};
