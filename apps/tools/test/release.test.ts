import { expect, test } from "vitest";
import { attwArguments, fileFaults } from "../src/release/tarballs.ts";
import { root } from "../src/workspace/packages.ts";

const manifest = { files: ["dist", "workflows/*.arazzo.yaml"] };
const files = {
  "package.json": JSON.stringify(manifest),
  "README.md": "",
  LICENSE: "",
  "dist/index.js": "export const npm_config = 1;",
};
const faults = (more: Readonly<Record<string, string>>) => fileFaults("a", new Map(Object.entries({ ...files, ...more })));

test("a package may ship its files, and must ship a README and a licence", () => {
  expect(faults({ "workflows/a.arazzo.yaml": "", "CHANGELOG.md": "" })).toEqual([]);
  expect(fileFaults("a", new Map([["package.json", "{}"]]))).toEqual(["a: README.md is missing", "a: LICENSE is missing"]);
});

test.for([
  ["src/index.ts", "", "src/index.ts is not in `files` of package.json"],
  ["distant.js", "", "distant.js is not in `files` of package.json"],
  ["dist/.env", "", "dist/.env is for development"],
  ["dist/secret.env", "", "dist/secret.env is for development"],
  ["dist/index.test.js", "", "dist/index.test.js is for development"],
  ["dist/test/index.js", "", "dist/test/index.js is for development"],
  ["dist/tsconfig.json", "", "dist/tsconfig.json is for development"],
  ["dist/a.js", `//registry.npmjs.org/:_authToken=npm_${"a".repeat(36)}`, "dist/a.js contains a secret"],
  ["dist/a.js", `const token = "ghp_${"a".repeat(36)}";`, "dist/a.js contains a secret"],
  ["dist/a.js", `AKIA${"A".repeat(16)}`, "dist/a.js contains a secret"],
  ["dist/a.js", ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" "), "dist/a.js contains a secret"],
  ["dist/a.js.map", `{"sources":["${root}packages/a/src/index.ts"]}`, "dist/a.js.map contains a path of this machine"],
] as const)("a package must not ship %s with %j", ([file, text, fault]) => {
  expect(faults({ [file]: text })).toEqual([`a: ${fault}`]);
});

test("attw checks CommonJS only where there is some, and no entries that are no modules", () => {
  const text = { "./a.json": "./dist/a.json", "./package.json": "./package.json" };
  expect(attwArguments({ exports: { ".": { default: "./dist/index.js" }, ...text } })).toEqual([
    "--profile",
    "esm-only",
    "--exclude-entrypoints",
    "./a.json",
    "./package.json",
  ]);
  expect(attwArguments({ exports: { ".": { require: { default: "./dist/index.cjs" } } } })).toEqual(["--profile", "strict"]);
});
