import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { readTransactions } from "../src/blocks/index.ts";
import { type Cell, hex, readBocRoots } from "../src/cells/index.ts";
import * as node from "../src/platform/node.ts";
import { sha512 } from "../src/platform/sha512.ts";
import * as web from "../src/platform/web.ts";
import { decodeTransaction } from "../src/transactions.ts";

/** Every function that reads, through the entries of the package. */
const READERS = `
export { decodeAccount, isSuspended, readAccountLibraries, readShardAccount, readSuspendedList } from "@chain-query/format/accounts";
export { lookUpTransaction, readBlockConfig, readBlockHeader, readBlockShards, readTransactions } from "@chain-query/format/blocks";
export { base64, CellReader, hex, openMerkleProof, openMerkleUpdate, readBoc, readBocRoots, sha256 } from "@chain-query/format/cells";
export { lookUp, readEntries, uint32Key } from "@chain-query/format/dictionaries";
export * from "@chain-query/format/identifiers";
export { decodeMessage, readComment } from "@chain-query/format/messages";
export {
  lookUpAccount, lookUpPastBlock, lookUpShard, readAccounts, readKeyBlocks, readMasterchainParts, readPublicLibraries, readQueueSize,
  readShardTops, readState, readStateShards,
} from "@chain-query/format/states";
export { decodeTransaction } from "@chain-query/format/transactions";
export { selectMasterchainValidators } from "@chain-query/format/validator-groups";
export { readValidatorSet } from "@chain-query/format/validators";`;

/** A bundle for browsers, in which an import of a module of Node.js does not resolve. */
async function bundleReaders(): Promise<string> {
  const stdin = { contents: READERS, resolveDir: fileURLToPath(new URL("..", import.meta.url)) };
  const { outputFiles } = await build({
    ...{ stdin, bundle: true, minify: true, platform: "browser", format: "iife", globalName: "format", write: false },
    conditions: ["@chain-query/source"],
  });
  return outputFiles[0]?.text ?? "";
}

test("the readers are bundled for browsers without Node.js and without the writers", async () => {
  const text = await bundleReaders();
  expect(text).not.toMatch(/\bBuffer\b|node:/);
  for (const error of ["a bag of cells needs at least one root", "does not fit in"]) expect(text).not.toContain(error);
});

test("the bundle reads the blocks of a chain where nothing but JavaScript exists", async () => {
  const boc = readFileSync(new URL("fixtures/chain.boc", import.meta.url));
  const read = `
    const [, ...roots] = format.readBocRoots(Uint8Array.from(bytes));
    const fees = (root) => Array.from(format.readTransactions(root), ({ cell }) => String(format.decodeTransaction(cell).fee));
    JSON.stringify(roots.map((root) => [format.hex(root.hash), fees(root)]));`;
  const blocks = runInNewContext(`${await bundleReaders()}${read}`, { bytes: [...boc] });
  const [, ...roots] = readBocRoots(boc);
  const fees = (root: Cell) => Array.from(readTransactions(root), ({ cell }) => String(decodeTransaction(cell).fee));
  expect(JSON.parse(blocks)).toEqual(roots.map((root) => [hex(root.hash), fees(root)]));
});

test("hashes and texts of up to 300 bytes, and of 10,000, are those of Node.js", () => {
  for (const length of [...Array(301).keys(), 10_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (7 * i + length) % 251);
    for (const name of ["sha256", "sha512", "toBinaryString", "hex", "base64"] as const) {
      const [expected, got] = [node, { ...web, sha512 }].map((platform) => platform[name](bytes));
      expect(typeof got === "object" ? hex(got) : got, `${name} ${length}`).toBe(
        typeof expected === "object" ? hex(expected) : expected,
      );
    }
  }
});
