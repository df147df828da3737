import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** Bundles an entry point as for a page, and returns a function that evaluates expressions without the globals of Node.js. */
async function inPage(entry: string): Promise<(expression: string) => unknown> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "@chain-query/openapi/${entry}";`, resolveDir: import.meta.dirname },
    bundle: true,
    format: "iife",
    globalName: "entry",
    platform: "browser",
    write: false,
    absWorkingDir: fileURLToPath(new URL("../", import.meta.url)),
  });
  const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
  runInContext(outputFiles.map(({ text }) => text).join(""), context);
  return (expression) => runInContext(expression, context);
}

test("addresses need no globals of Node.js", async () => {
  const evaluate = await inPage("address");
  const raw = "-1:FCB91A3A3816D0F7B8C2C76108B8A9BC5A6B7A55BD79F8AB101C52DB29232260";
  expect(evaluate("typeof Buffer + typeof process + typeof require + typeof atob")).toBe("undefined".repeat(4));
  expect(evaluate("entry.toRawAddress('kf/8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15+KsQHFLbKSMiYIny')")).toBe(raw);
  expect(evaluate(`entry.toFriendlyAddress("${raw}")`)).toBe("Ef_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYDJ4");
  expect(evaluate("entry.toBase64Hash('0'.repeat(64))")).toBe(`${"A".repeat(43)}=`);
  expect(evaluate("entry.isAddress('EQ')")).toBe(false);
});

test("the check of requests needs neither Node.js nor the generation of code", async () => {
  const evaluate = await inPage("requests");
  expect(evaluate(`entry.checkRequest("getTransactionsStd", { address: "0:" + "0".repeat(64) }).inputs.limit`)).toBe(10);
  expect(evaluate(`entry.checkRequest("getConsensusBlock", { x: 1 }).problems`)).toEqual([
    '"x" is not a member of this request; no members are accepted',
  ]);
});

test("the responses need neither Node.js nor the generation of code", async () => {
  const evaluate = await inPage("responses");
  expect(evaluate(`entry.responseTo("getMasterchainInfo", {}).body.result.last.seqno`)).toBe(840);
});
