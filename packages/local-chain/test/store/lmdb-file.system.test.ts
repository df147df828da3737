/** A reader of a short LMDB file while another thread pads it. */
import { once } from "node:events";
import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { temporaryFolder } from "@chain-query/testing/folders";
import { expect, onTestFinished, test, vi } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { padLmdbFile, waitForLmdbFile } from "../../src/store/lmdb-file.ts";
import { shortFile } from "../test-folders.ts";

/** Pads a file as soon as 1 is at the place. */
const writer = `
  const { workerData: { file, length, place } } = require("node:worker_threads");
  Atomics.wait(place, 0, 0);
  require("node:fs").truncateSync(file, length);
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
  await once(worker, "online");
  const { wait } = Atomics;
  // The reader found the file too short, and is about to wait.
  const waits = vi.spyOn(Atomics, "wait").mockImplementation((...pause) => {
    Atomics.store(place, 0, 1);
    Atomics.notify(place, 0);
    return wait(...pause);
  });
  onTestFinished(() => void waits.mockRestore());
  waitForLmdbFile(file, 120_000);
  expect(waits).toHaveBeenCalled();
  expect(statSync(file).size).toBe(needed);
  const chain = openChain(directory);
  expect(chain.head().block.id.seqno).toBe(4);
  await chain.close();
});
