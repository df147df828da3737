/** A reader of a short LMDB file while another thread pads it. */
import { once } from "node:events";
import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { padLmdbFile, waitForLmdbFile } from "../../src/store/lmdb-file.ts";
import { shortFile, temporaryFolder } from "../test-folders.ts";

/** Pads a file some time after 1 is at the place, and puts 2 there just before. */
const writer = `
  const { workerData: { file, length, place } } = require("node:worker_threads");
  require("node:worker_threads").parentPort.postMessage("started");
  Atomics.wait(place, 0, 0);
  setTimeout(() => {
    Atomics.store(place, 0, 2);
    require("node:fs").truncateSync(file, length);
  }, 100);
`;

test("a reader waits until the writer has padded a short file", async () => {
  const { directory, file, length } = await shortFile();
  const full = join(temporaryFolder(), "full.mdb");
  cpSync(file, full);
  padLmdbFile(full);
  const needed = statSync(full).size;
  expect(needed).toBeGreaterThan(length);
  const place = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(writer, { eval: true, workerData: { file, length: needed, place } });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, "message");
  Atomics.store(place, 0, 1);
  Atomics.notify(place, 0);
  waitForLmdbFile(file, 120_000);
  expect(Atomics.load(place, 0)).toBe(2);
  expect(statSync(file).size).toBe(needed);
  const chain = openChain(directory);
  expect(chain.head().block.id.seqno).toBe(4);
  await chain.close();
});
