import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sha256 } from "@chain-query/format/cells";
import type { BlockHeader } from "@chain-query/format/store";
import { temporaryFolder } from "@chain-query/testing/folders";
import { until } from "@chain-query/testing/until";
import { expect, test, vi } from "vitest";
import type { LocalChain } from "../../src/domain.ts";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/production/producer.ts";
import { seededRandom } from "../../src/random.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";
import { command } from "../command/invoke.ts";

const OPTIONS = { seed: 11, accounts: 15, shards: 2, rate: 4 } as const;
const script = fileURLToPath(new URL("endless-producer.ts", import.meta.url));

/** Starts a producer, kills it some milliseconds after its start or a block, and reads the chain meanwhile. */
async function produceUntilKilled(
  directory: string,
  after: "start" | "a block",
  milliseconds: number,
  check: () => number,
): Promise<void> {
  const before = check();
  const child = spawn(process.execPath, ["--no-warnings", script, directory], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  if (after === "a block") await until(check, (seqno) => seqno > before);
  const end = performance.now() + milliseconds;
  do {
    await sleep(Math.min(5, milliseconds));
    check();
  } while (performance.now() < end);
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
}

/** Returns a function that checks the head and the blocks that it refers to, and returns its seqno. */
function headChecker(chain: LocalChain): () => number {
  let seen = 0;
  return () => {
    const { block } = chain.head();
    expect(block.id.seqno).toBeGreaterThanOrEqual(seen);
    seen = block.id.seqno;
    for (const { id } of chain.shards()) {
      expect(id.seqno).toBe(seen);
      const boc = chain.blockData(id);
      expect(boc && Buffer.compare(id.seqno === 0 ? id.fileHash : sha256(boc), id.fileHash)).toBe(0);
    }
    return seen;
  };
}

/** The hashes of all blocks of each step. */
async function hashesOf(directory: string): Promise<string[]> {
  const chain = openChain(directory);
  const hex = ({ id }: BlockHeader) => Buffer.concat([id.rootHash, id.fileHash]).toString("hex");
  const shards = chain.shards().map(({ id }) => id);
  const seqnos = Array.from({ length: chain.head().block.id.seqno }, (_, i) => i + 1);
  const hashes = seqnos.map((seqno) => shards.map((shard) => hex(chain.block(shard, { seqno }) ?? expect.fail())).join(" "));
  await chain.close();
  return hashes;
}

const kills = 6;
/** When an init is killed: when it has made its first file, or after some milliseconds. */
const moments = ["first file", 160, 320, 480, 640, 800] as const;
const random = seededRandom(1n, "kills");
test(`a killed writer leaves complete steps after ${kills} kills, and the next continues to the hashes of a run without kills`, async () => {
  const directory = join(temporaryFolder(), "chain");
  await createChain(directory, OPTIONS);
  const chain = openChain(directory);
  const check = headChecker(chain);
  for (let kill = 1; kill <= kills; kill++) {
    await produceUntilKilled(directory, kill % 2 === 0 ? "a block" : "start", random.below(150), check);
    check();
  }
  await verifyChain(directory);
  await chain.close();
  expect(existsSync(join(directory, "writer.lock"))).toBe(true);
  const next = await openProducer(directory);
  expect(readFileSync(join(directory, "writer.lock"), "utf8")).toBe(`${process.pid}\n`);
  await next.step();
  await next.close();
  const interrupted = await hashesOf(directory);
  expect(interrupted.length).toBeGreaterThan(1);

  const uninterrupted = join(temporaryFolder(), "chain");
  await createChain(uninterrupted, OPTIONS);
  const producer = await openProducer(uninterrupted);
  await producer.steps(interrupted.map(() => ({})));
  await producer.close();
  expect(await hashesOf(uninterrupted)).toEqual(interrupted);
});

test.each(moments)("a killed init (%s) leaves a complete chain, or a folder that a new init accepts", async (moment) => {
  const directory = join(temporaryFolder(), "chain");
  const init = () => spawn(process.execPath, [command, "init", directory, "--seed", "1"], { stdio: "ignore" });
  const child = init();
  const ended = once(child, "close");
  const hasFile = () => existsSync(directory) && readdirSync(directory).length > 0;
  // Polled without a pause: an init is short.
  if (moment === "first file") await vi.waitUntil(hasFile, { interval: 1, timeout: 120_000 });
  else await sleep(moment);
  child.kill("SIGKILL");
  await ended;
  if (!existsSync(join(directory, "chain.mdb"))) {
    const [code] = await once(init(), "close");
    expect(code).toBe(0);
  }
  expect(await verifyChain(directory)).toMatchObject({ steps: 0 });
  expect(readdirSync(directory).filter((name) => name.includes("new"))).toEqual([]);
});
