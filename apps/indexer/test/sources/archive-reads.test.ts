import { type LiteClient, LiteError, type LiteServerStatus } from "@chain-query/lite";
import { expect, test } from "vitest";
import { archiveReads } from "../../src/sources/archive-reads.ts";

const server: LiteServerStatus = {
  ...{
    name: "a1b2c3d4",
    archival: true,
    state: "ready",
    seqno: 900,
    lag: 0,
    latency: 1,
    inFlight: 0,
    reason: undefined,
  },
  hasHead: true,
};
const missing = new LiteError("refused", "block is not in db", { code: 651 });

const head: NonNullable<LiteClient["head"]> = {
  block: { workchain: -1, shard: -(2n ** 63n), seqno: 900, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) },
  ...{ time: 1_700_000_000, endLt: 1n, stateRootHash: new Uint8Array(32) },
};

/** Reads steps of a network whose servers lack some, and returns the servers that were asked for each. */
async function askedFor(
  seqnos: readonly number[],
  servers: LiteClient["servers"],
  error = missing,
  lacks = (seqno: number) => seqno <= 500,
): Promise<string[]> {
  const readPart = archiveReads({ servers, head });
  const asked: string[] = [];
  for (const seqno of seqnos) {
    const kinds: string[] = [];
    await readPart(seqno, async (archival) => {
      kinds.push(archival ? "archival" : "recent");
      if (!archival && lacks(seqno)) throw error;
    });
    asked.push(kinds.join(", "));
  }
  return asked;
}

test("archival servers are asked for what others do not have, and for 100 steps after it", async () => {
  const both = "recent, archival";
  expect(await askedFor([7, 8, 107, 108, 499, 599, 600], [server])).toEqual([
    ...[both, "archival", "archival", both, both, "archival", "recent"],
  ]);
});

test("archival servers are asked as well while another server that may have the data cannot be asked", async () => {
  const lost = new LiteError("unavailable", "1 other may have it", { cause: missing, code: 651 });
  expect(await askedFor([7, 8], [server], lost)).toEqual(["recent, archival", "archival"]);
});

test("near the head, a server that is not ready leads to archival servers once, not for the steps after it", async () => {
  const isNotReady = (seqno: number) => [720, 850, 900].includes(seqno);
  const both = "recent, archival";
  expect(await askedFor([720, 721, 800, 801, 850, 850, 851, 900, 901], [server], missing, isNotReady)).toEqual([
    ...[both, "archival", "archival", "recent", both, both, "recent", both, "recent"],
  ]);
});

test("other failures do not lead to archival servers, nor does a list without any", async () => {
  const slow = new LiteError("timeout", "no answer in 3 s");
  await expect(askedFor([7], [server], slow)).rejects.toBe(slow);
  await expect(askedFor([7], [{ ...server, archival: false }])).rejects.toBe(missing);
});
