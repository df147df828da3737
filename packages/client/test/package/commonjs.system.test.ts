/** The built CommonJS modules, in a Node.js that cannot require ES modules. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const cwd = fileURLToPath(new URL("../../", import.meta.url));
// msw 3 itself has ES modules only, and so have the packages that verify answers.
const entries = Object.keys(packageJson.exports)
  .filter((entry) => !["./package.json", "./msw", "./verify"].includes(entry))
  .map((entry) => packageJson.name + entry.slice(1));

/** Runs a CommonJS program in the folder of the package, and parses what it prints. */
async function program<Printed>(source: string, ...flags: string[]): Promise<Printed> {
  const args = ["--no-experimental-require-module", "--input-type=commonjs", ...flags, "--eval", source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  return JSON.parse(stdout) as Printed;
}

test("require() gives each entry point the exports that import gives it", async () => {
  const [required, imported] = await program<[object, object]>(`
    const entries = ${JSON.stringify(entries)};
    const named = (modules) => Object.fromEntries(modules.map((module, index) => [entries[index], Object.keys(module).sort()]));
    Promise.all(entries.map((entry) => import(entry))).then((imported) =>
      console.log(JSON.stringify([named(entries.map(require)), named(imported)])));`);
  expect(required).toEqual(imported);
  expect(Object.keys(required)).toHaveLength(5);
});

test("an error of the one is an instance of the other's classes, and options are checked in both", async () => {
  const printed = await program(`
    const required = require("@chain-query/client");
    import("@chain-query/client").then(async (imported) => {
      const baseUrl = "http://127.0.0.1:1";
      const of = ({ createClient }) => createClient({ baseUrl, retry: false }).getMasterchainInfo().catch((error) => error);
      const [fromRequired, fromImported] = [await of(required), await of(imported)];
      const wrong = ({ createClient }) => { try { createClient({ baseUrl, timeout: 1 }); } catch ({ message }) { return message; } };
      console.log(JSON.stringify([
        required.createClient !== imported.createClient,
        fromRequired instanceof imported.ConnectionError && fromImported instanceof required.ConnectionError,
        fromRequired instanceof imported.ApiError || fromImported instanceof required.ApiError,
        wrong(required) === wrong(imported) && wrong(required),
      ]));
    });`);
  expect(printed).toEqual([true, true, false, expect.stringContaining("did you mean timeoutMs?")]);
});

test("source maps lead from a stack to the shipped sources", async () => {
  const stack = await program<string>(
    `try { require("@chain-query/client").createClient({}); } catch ({ stack }) { console.log(JSON.stringify(stack)); }`,
    "--enable-source-maps",
  );
  expect(stack).toMatch(/client\/src\/client\.ts:\d+:\d+\)/);
  expect(stack).not.toContain("/dist/");
});
