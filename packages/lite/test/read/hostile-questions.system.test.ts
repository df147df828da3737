/** Any questions to honest lite servers: what the client thinks of the servers stays as it was. */
import type { AccountId, BlockId, BlockSelector, ShardId, TransactionId } from "@chain-query/format/identifiers";
import { FAST } from "@chain-query/testing/chains";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LiteClient } from "../../src/lite-client.ts";
import type { LiteMessageKey } from "../../src/read/find-transactions.ts";
import type { LiteEvent } from "../../src/servers/events.ts";
import { connectClient, existing, type ServedChain, serve, serveChain } from "../served-chain.ts";

/** Arguments of any call. */
interface Arguments {
  readonly account: AccountId;
  readonly at: BlockId;
  readonly block: BlockId;
  readonly lt: bigint;
  readonly message: LiteMessageKey;
  readonly from: TransactionId;
  readonly limit: number;
  readonly selector: BlockSelector;
  readonly shard: ShardId;
}

const calls: readonly ((client: LiteClient, args: Arguments) => Promise<unknown>)[] = [
  (client, { account, at }) => client.getAccount(account, { at }),
  (client, { shard, selector, at }) => client.lookupBlock(shard, selector, { at }),
  (client, { account, from, limit }) => client.getTransactions(account, from, limit),
  (client, { account, lt, at }) => client.findTransaction(account, lt, { at }),
  (client, { message, at }) => client.findSender(message, { at }),
  (client, { message, at }) => client.findReceiver(message, { at, maxQueries: 40 }),
  (client, { at }) => client.getShards({ at }),
  (client, { at }) => client.getQueueSizes({ at }),
  (client, { block }) => client.getBlock(block),
  (client, { block }) => client.getZeroState({ ...block, seqno: 0 }),
];

/** Arguments that are right, nearly right, or any. */
function argumentsOf({ chain, headers, accounts }: ServedChain): fc.Arbitrary<Arguments> {
  const head = chain.head().block;
  const genesis = chain.genesis().block;
  const hashes = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.constantFrom(...accounts.map(({ hash }) => hash)),
  );
  const workchain = fc.oneof(fc.constantFrom(-1, 0, 1, -2, 5), fc.integer());
  const account = fc.oneof(fc.constantFrom(...accounts), fc.record({ workchain, hash: hashes }));
  const lt = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: 0n, max: head.endLt + 5n }),
    fc.constantFrom(0n, 1n, head.endLt, head.endLt + 1n, 2n ** 63n - 1n, 2n ** 63n),
  );
  const from = fc.oneof(
    fc.record({ lt, hash: hashes }),
    fc.constantFrom(...accounts.flatMap((one) => Array.from(chain.transactions(one), ({ id }) => id))),
  );
  const shard = fc.record({
    workchain,
    shard: fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(0n, 1n, -1n, -(2n ** 63n), 2n ** 62n),
    ),
  });
  const number = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: head.id.seqno + 2 }));
  const time = fc.oneof(
    number,
    fc.integer({ min: -3, max: 90 }).map((seconds) => head.time - seconds),
  );
  const selector = fc.oneof(fc.record({ seqno: number }), fc.record({ lt }), fc.record({ time }));
  const block: fc.Arbitrary<BlockId> = fc.oneof(
    fc.constantFrom(...headers.map(({ id }) => id)),
    fc.tuple(shard, number, hashes, hashes).map(([of, seqno, rootHash, fileHash]) => ({ ...of, seqno, rootHash, fileHash })),
  );
  const at = fc.constantFrom(genesis, ...headers.filter(({ id }) => id.workchain === -1).map(({ id }) => id));
  const message = fc.record({ source: account, destination: account, createdLt: lt });
  const limit = fc.integer({ min: 1, max: 40 });
  return fc.record({ account, at, block, lt, message, from, limit, selector, shard });
}

const count = 400;
const served = await serveChain(12, { ...FAST, shards: 2, resharding: 3 });

test("are no fault of a server", async () => {
  const servers = [await serve(served.chain), await serve(served.chain)];
  const blames: readonly LiteEvent["type"][] = ["quarantine", "unproved", "overruled", "server-down"];
  const limits = { rate: 1_000_000, timeoutMs: 60_000, attemptTimeoutMs: 60_000 };
  const { client, events } = connectClient(served.configOf(servers), limits);
  await client.waitForHead();
  const standing = () => client.servers.map(({ name, state, reason, hasHead }) => ({ name, state, reason, hasHead }));
  await expect.poll(standing).toEqual(servers.map(() => expect.objectContaining({ state: "ready", hasHead: true })));
  const before = standing();
  const answers: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), argumentsOf(served), async (call, args) => {
      const error = await call(client, args).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      answers.push(error instanceof Error ? error.name : "answer");
      if (error !== undefined)
        expect(error).toMatchObject({ name: expect.stringMatching(/^(LiteError|RangeError|TypeError)$/) });
      if (error instanceof Error && error.name === "LiteError")
        expect(error).toMatchObject({ kind: expect.stringMatching(/^(refused|unavailable|exhausted)$/) });
      expect(events.filter(({ type }) => blames.includes(type))).toEqual([]);
    }),
    { numRuns: count, seed: 1 },
  );
  expect(standing()).toEqual(before);
  expect(answers.filter((answer) => answer === "answer").length).toBeGreaterThan(count / 4);
  expect((await client.getAccount(existing(served.accounts[0]))).account).toBeDefined();
});
