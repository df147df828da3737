/** The first start of a client over 200 rotations of validators, and the second one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { liteClient } from "../../src/lite-client.ts";
import type { LiteEvent } from "../../src/servers/events.ts";
import { serveChain } from "../served-chain.ts";

const ROTATIONS = 200;
const chainOptions = { seed: 7, accounts: 5, shards: 1, rate: 0, validators: 66, keyBlocks: 1, blockInterval: 1 } as const;
const served = await serveChain(ROTATIONS, chainOptions);

test("200 rotations are verified from the zero state, and the next start verifies nothing again", async ({ annotate }) => {
  const folder = mkdtempSync(join(tmpdir(), "signed-sync-"));
  const anchorFile = join(folder, "anchor.json");
  try {
    const queries: number[] = [];
    for (const start of ["first", "second"]) {
      const events: LiteEvent[] = [];
      const onEvent = (event: LiteEvent) => void events.push(event);
      const begun = performance.now();
      // One process is server and client: on a busy machine, it may take more than the usual 3 seconds for an answer, and ask again.
      const limits = { timeoutMs: 120_000, attemptTimeoutMs: 60_000 };
      const options = { rate: 100_000, anchorFile, onEvent, ...limits } as const;
      const client = liteClient(served.configOf([served.server]), options);
      const { block } = await client.waitForHead();
      await annotate(`${start} start: ${Math.round(performance.now() - begun)} ms`);
      await client.close();
      expect(block.seqno).toBe(ROTATIONS);
      queries.push(events.filter((event) => event.type === "answer" && event.function === "getBlockProof").length);
    }
    const [first, second] = queries;
    expect(first).toBe(Math.ceil(ROTATIONS / 16));
    expect(second).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
