/** Proofs of blocks by the lite server, as our client verifies them. */
import type { BlockId } from "@chain-query/format/identifiers";
import { followBlockProof } from "@chain-query/lite-client";
import { queries } from "@chain-query/lite-protocol/tl";
import { describe, expect, test } from "vitest";
import { existing, serveChain } from "./served-chain.ts";

const { signal } = new AbortController();

describe("a chain with validators", async () => {
  const served = await serveChain(6, { seed: 4, accounts: 20, rate: 3, shards: 2, validators: 4 });
  const at = (seqno: number): BlockId =>
    seqno === 0 ? served.chain.genesis().block : existing(served.chain.block({ workchain: -1, shard: -(2n ** 63n) }, { seqno })).id;

  test("every block is proved from every other one", async () => {
    for (let from = 0; from <= 6; from++) {
      for (let to = 0; to <= 6; to++) {
        const query = async (bytes: Uint8Array) => served.send(bytes);
        const { block } = await followBlockProof({ query }, at(from), { target: at(to), signal });
        expect(block).toEqual(at(to));
      }
    }
  });
});
