import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { expect, test } from "vitest";
import { readAnchor } from "../../src/head/anchor.ts";

const writer = fileURLToPath(new URL("anchor-writer.ts", import.meta.url));
const hash = (byte: number) => new Uint8Array(32).fill(byte);

/** Each is killed after another number of anchors: the file has the last one, or the one in progress. */
test("50 processes that are killed while they write an anchor leave the old one or the new one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "anchor-"));
  const path = join(folder, "anchor.json");
  let last = 0;
  try {
    for (let round = 0; round < 50; round++) {
      const reported = await killWriter([path, `${last + 1}`], last + 1 + (round % 7));
      const zeroState = { ...MASTERCHAIN, seqno: 0, rootHash: hash(1), fileHash: hash(2) };
      const read = await readAnchor(path, { zeroState, initBlock: zeroState, hardforks: [] });
      if (!read) throw new Error("the anchor is gone");
      // The process may have written more than it reported.
      expect(read.seqno).toBeGreaterThanOrEqual(reported);
      expect(read).toMatchObject({ rootHash: hash(read.seqno & 255), fileHash: hash((read.seqno + 1) & 255) });
      last = read.seqno;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** The last number that the process reported before it was killed. */
async function killWriter(args: readonly string[], until: number): Promise<number> {
  const child = spawn(process.execPath, ["--conditions=@chain-query/source", writer, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let reported = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    reported = Number(line);
    if (reported >= until) child.kill("SIGKILL");
  }
  const [, signal] = await closed;
  expect(signal).toBe("SIGKILL");
  return reported;
}
