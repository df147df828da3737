/** Callers and writers that remember each response, to compare them after the failures of servers. */

import { setTimeout as sleep } from "node:timers/promises";
import { openApiKeys, PostgresStoreError } from "@chain-query/postgres-store";
import { until } from "@chain-query/testing/until";
import { expect } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { startService } from "../fixtures/service.ts";

/** Adds API keys, one after another. `lost` stops it, and returns the number of added keys, and of those that the database has lost. */
export function addKeys(url: string): { lost(): Promise<{ added: number; lost: number }> } {
  const keys = openApiKeys({ url, statementTimeout: 5_000 }, "writer");
  const added: string[] = [];
  let isOver = false;
  const add = async (): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const id = `${Math.random().toString(16).slice(2, 14)}-${number}`;
      const row = await keys.add({ id, secretHash: Buffer.alloc(32), owner: "writer", rate: 1 }).catch(() => undefined);
      if (row !== undefined) added.push(id);
      await sleep(20);
    }
  };
  const adding = add();
  return {
    async lost() {
      isOver = true;
      await adding;
      // The balancer may still lead to the former leader, which is shutting down.
      const present = new Set(await until(() => keys.list().then((rows) => rows.map(({ id }) => id), unlessRetryable)));
      await keys.close();
      return { added: added.length, lost: added.filter((id) => !present.has(id)).length };
    },
  };
}

function unlessRetryable(error: unknown): undefined {
  if (!(error instanceof PostgresStoreError && error.isRetryable)) throw error;
}

/** Reads accounts, one after another. `expectTrue` stops it, and compares the responses with those of a service on the chain itself. */
export function readAccounts(
  url: string,
  headers: Record<string, string>,
  addresses: readonly string[],
): { expectTrue(chain: string): Promise<number> } {
  const results = new Map<string, unknown>();
  let isOver = false;
  const read = async (address: string): Promise<void> => {
    while (!isOver) {
      const { status, body } = await ask(url, "getAddressInformation", { address }, headers);
      if (status === 200) {
        const { block_id: block } = body.result as { block_id: { seqno: number } };
        results.set(JSON.stringify({ address, seqno: String(block.seqno) }), body.result);
      }
      await sleep(10);
    }
  };
  const reading = Promise.all(addresses.map(read));
  // A test that fails earlier has another error to show.
  reading.catch(() => {});
  return {
    async expectTrue(chain) {
      isOver = true;
      await reading;
      await using direct = await startService({ source: { kind: "chain", folder: chain } });
      for (const [input, result] of results)
        expect(result, input).toEqual(await resultOf(direct.url, "getAddressInformation", JSON.parse(input)));
      return results.size;
    },
  };
}
