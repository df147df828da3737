/** A reader that opens a short LMDB file while another thread pads it. */
import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { padLmdbFile } from "../../src/store/lmdb-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { shortFile } from "./short-lmdb-file.ts";

test("a reader waits until the writer has padded a short file", async () => {
  const { directory, file, length } = await shortFile();
  const full = join(temporaryFolder(), "full.mdb");
  cpSync(file, full);
  padLmdbFile(full);
  const needed = statSync(full).size;
  const grow = `setTimeout(() => require("node:fs").truncateSync(${JSON.stringify(file)}, ${needed}), 100)`;
  const writer = new Worker(grow, { eval: true });
  const before = performance.now();
  const chain = openChain(directory);
  expect(performance.now() - before).toBeGreaterThan(50);
  expect(statSync(file).size).toBe(needed);
  expect(chain.head().block.id.seqno).toBe(4);
  await chain.close();
  await writer.terminate();
  expect(needed).toBeGreaterThan(length);
});
