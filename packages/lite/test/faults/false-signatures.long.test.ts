/** The lite client on servers that agree on a false chain: it begins after a fork, and its signatures are wrong from there on. */
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import type { LocalChain } from "@chain-query/local-chain";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import type { LiteBehaviour } from "../../src/answers/behaviour.ts";
import type { LiteServer } from "../../src/answers/server.ts";
import { falseSignatures } from "../../src/faults/false-signatures.ts";
import { configOf, connectClient, existing, FALSE_RATE, openMade, SIGNED, serve } from "../served-chain.ts";

/** An answer has 16 links at most: those from the zero state end at this key block. */
const ANSWER_END = 16 * SIGNED.keyBlocks;
/** The last block of both chains. */
const FORK = ANSWER_END + 1;
const STEPS = FORK + 4;
const CONFIGURATION = { workchain: -1, hash: new Uint8Array(32).fill(0x55) };

describe.each(["ordinary", "simplex"] as const)("with signatures in the %s form", async (consensus) => {
  const options = { ...SIGNED, consensus };
  const right = await openMade({ ...options, steps: STEPS });
  const wrong = await openMade({ ...options, steps: STEPS + 3, fork: { after: FORK, rate: FALSE_RATE } });
  const idOf = (chain: LocalChain, seqno: number) => existing(chain.block(MASTERCHAIN, { seqno })).id;
  const zeroState = right.genesis().block;

  function connect(servers: readonly LiteServer[], initBlock = zeroState) {
    return connectClient({ ...configOf(right, servers), initBlock }, { timeoutMs: 2_000 });
  }

  async function expectRefused({ client, events }: ReturnType<typeof connect>, refusal: string): Promise<void> {
    await until(
      () => events.flatMap((event) => (event.type === "quarantine" ? event.reason : [])),
      (reasons) => expect(reasons).toEqual(client.servers.map(() => expect.stringContaining(refusal))),
    );
    await expect(client.getShards()).rejects.toThrow(expect.objectContaining({ kind: "unavailable" }));
  }

  test("both chains are the same up to the fork", () => {
    expect(idOf(wrong, FORK)).toEqual(idOf(right, FORK));
    expect(idOf(wrong, FORK + 1)).not.toEqual(idOf(right, FORK + 1));
  });

  test.each(falseSignatures(wrong, FORK + 1))("$name is refused", async ({ behaviour, refusal }) => {
    const dishonest = await Promise.all([1, 2, 3, 4, 5].map(() => serve(wrong, behaviour)));
    // After an answer without a lie, in the middle of an answer, and in the first link of an anchor.
    for (const seqno of [0, ANSWER_END - 2 * SIGNED.keyBlocks, ANSWER_END]) {
      const initBlock = seqno === 0 ? zeroState : idOf(right, seqno);
      await expectRefused(connect(dishonest, initBlock), refusal);
    }
    const { client } = connect([...dishonest.slice(1), await serve(right)]);
    expect((await client.waitForHead()).block).toEqual(idOf(right, STEPS));
    const { account } = await client.getAccount(CONFIGURATION);
    expect(account?.balance).toBe(existing(right.account(CONFIGURATION)).balance);
  });

  test("each is also refused after a verified head, which stays", async () => {
    const cases = falseSignatures(wrong, FORK + 1).map(async ({ name, behaviour, refusal }) => {
      let hasForked = false;
      const later: LiteBehaviour = {
        chain: (chain) => ({ ...chain, head: () => (hasForked ? chain.head() : idOf(right, FORK)) }),
      };
      const connected = connect(await Promise.all([1, 2, 3].map(() => serve(wrong, behaviour, later))));
      expect((await connected.client.waitForHead()).block).toEqual(idOf(right, FORK));
      hasForked = true;
      await expectRefused(connected, refusal);
      expect(connected.client.head?.block, name).toEqual(idOf(right, FORK));
    });
    await Promise.all(cases);
  });
});
