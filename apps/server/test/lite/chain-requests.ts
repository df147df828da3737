/** Random requests for data that a chain has or lacks: the same ones for the same seed. */
import { accountName } from "@chain-query/format/identifiers";
import type { AccountId, BlockHeader, ChainTransaction } from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { chainSteps, type LocalChain, openChain } from "@chain-query/local-chain";
import { toFriendlyAddress, toRawAddress } from "@chain-query/openapi/address";
import type { OperationId } from "@chain-query/types";
import fc from "fast-check";
import { expect } from "vitest";
import { accountsOf, headersOf } from "../../fuzz/requests.ts";

/** An operation with its input. */
export interface ChainRequest {
  readonly operation: OperationId;
  readonly input: Readonly<Record<string, string | number | boolean>>;
}

/** The data that requests are generated from. */
export interface ChainFacts {
  readonly head: number;
  /** Those with transactions. */
  readonly accounts: readonly AccountId[];
  readonly transactions: readonly ChainTransaction[];
  /** Of every shard, the masterchain's too. */
  readonly blocks: readonly BlockHeader[];
}

/** Reads a chain from beginning to end. */
export async function factsOf(folder: string): Promise<ChainFacts> {
  const reader = openChain(folder);
  try {
    const accounts = accountsOf(reader);
    return {
      head: reader.head().block.id.seqno,
      accounts,
      transactions: await transactionsOf(folder, reader, accounts),
      blocks: headersOf(reader),
    };
  } finally {
    await reader.close();
  }
}

/** All transactions by account, the newest first, also those before an account was deleted, which its history does not reach once it is made again. */
async function transactionsOf(folder: string, reader: LocalChain, accounts: readonly AccountId[]): Promise<ChainTransaction[]> {
  const source = chainSteps(folder);
  const found = new Map(accounts.map((account) => [accountName(account), [] as ChainTransaction[]]));
  const range = { from: 1, to: await source.newest() };
  for await (const { masterchain, shards } of source.steps(range, new AbortController().signal)) {
    for (const { account, cell } of [masterchain, ...shards].flatMap(({ transactions }) => transactions))
      found
        .get(accountName(account))
        ?.unshift(reader.transaction(account, readTransactionHeader(cell).lt) ?? expect.unreachable());
  }
  await source.close();
  return [...found.values()].flat();
}

/** Which requests to make. */
export interface Choice {
  readonly count: number;
  readonly seed: number;
  /** Only requests whose responses stay the same while the chain grows. */
  readonly pinned?: boolean;
}

/** Makes requests. */
export function chainRequests(facts: ChainFacts, { count, seed, pinned = false }: Choice): ChainRequest[] {
  const past = [
    accountAsOf(facts),
    blockOf(facts, facts.blocks, 0),
    historyFrom(facts),
    message(facts).map(to("tryLocateSourceTx")),
  ];
  const newest = facts.blocks.filter(({ masterchainSeqno }) => masterchainSeqno === facts.head);
  // A message that waits in a queue is received at a later head.
  const present = [
    address(facts).map((account) => to("getAddressInformation")({ address: account })),
    blockOf(facts, newest, 3),
    fc.record({ address: address(facts), limit }).map(to("getTransactionsStd")),
    message(facts).map(to("tryLocateResultTx")),
    fc.constantFrom(...heads),
  ];
  const request = fc.oneof(...past, ...(pinned ? [] : present));
  return fc.sample(request, { numRuns: count, seed });
}

/** Answered from the head alone. */
const heads: readonly ChainRequest[] = (["getMasterchainInfo", "getConsensusBlock", "getOutMsgQueueSize"] as const).map(
  (operation) => ({ operation, input: {} }),
);

type Requests = fc.Arbitrary<ChainRequest>;

const to =
  (operation: OperationId) =>
  (input: ChainRequest["input"]): ChainRequest => ({ operation, input });

/** The masterchain, the basechain, and workchains that the chain does not have. */
const workchains = [-1, 0, 1, 5, -2];
/** An account of none of them. */
const nowhere = `5:${"ab".repeat(32)}`;

/** An account of the chain, or an address that nothing was sent to. */
function address({ accounts }: ChainFacts): fc.Arbitrary<string> {
  const unused = fc
    .tuple(fc.constantFrom(...workchains), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([workchain, hash]): AccountId => ({ workchain, hash }));
  const account = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...accounts) }, { weight: 1, arbitrary: unused });
  return fc.tuple(account, fc.boolean()).map(([id, raw]) => (raw ? toRawAddress(id) : toFriendlyAddress(id)));
}

function accountAsOf(facts: ChainFacts): Requests {
  const seqno = fc.integer({ min: 1, max: facts.head }).map(String);
  return fc.record({ address: address(facts), seqno }).map(to("getAddressInformation"));
}

/** One of some blocks by each selector, at its bounds, just before them, or up to `past` behind them. */
function blockOf({ blocks: all }: ChainFacts, blocks: readonly BlockHeader[], past: number): Requests {
  const shards = fc.constantFrom(...new Set(all.map(({ id }) => id.shard)));
  return fc
    .tuple(
      fc.constantFrom(...blocks),
      fc.constantFrom("seqno", "lt", "unixtime"),
      fc.integer({ min: -2, max: past }),
      anyShard(shards),
      fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, fc.constantFrom(...workchains)),
    )
    .map(([block, selector, offset, shardOf, other]) => {
      const where = { workchain: other ?? block.id.workchain, shard: String(shardOf(block.id.shard)) };
      const value = { seqno: BigInt(block.id.seqno), lt: block.endLt, unixtime: BigInt(block.time) }[selector] + BigInt(offset);
      return to("lookupBlock")({ ...where, [selector]: String(value < 0n ? 0n : value) });
    });
}

/**
 * The shard itself, one that may be gone or not there yet, the whole workchain, or the longest prefix of an account within the shard.
 */
function anyShard(shards: fc.Arbitrary<bigint>): fc.Arbitrary<(shard: bigint) => bigint> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant((shard: bigint) => shard) },
    { weight: 3, arbitrary: shards.map((other) => () => other) },
    { weight: 1, arbitrary: fc.constant(() => -(2n ** 63n)) },
    {
      weight: 1,
      arbitrary: fc.bigInt({ min: 0n, max: 2n ** 60n - 1n }).map((bits) => (shard: bigint) => leafWithin(shard, bits)),
    },
  );
}

function leafWithin(shard: bigint, bits: bigint): bigint {
  const own = BigInt.asUintN(64, shard);
  const mark = own & -own;
  const prefix = own - mark;
  const below = (bits << 4n) & (2n * mark - 1n);
  return BigInt.asIntN(64, ((prefix | below) & ~15n) | 8n);
}

const limit = fc.constantFrom(1, 2, 5, 10, 16, 17, 40);

/** From a transaction on, sometimes with a lower bound, sometimes with the hash or the address of another one. */
function historyFrom({ transactions }: ChainFacts): Requests {
  const some = fc.constantFrom(...transactions);
  const kinds = fc.constantFrom("page", "page", "page", "bounded", "other hash", "other account", "other lt", "nowhere");
  return fc.tuple(some, some, limit, kinds, fc.boolean()).map(([first, other, length, kind, archival]) => {
    const account = kind === "other account" ? other.account : first.account;
    const hash = kind === "other hash" ? other.id.hash : first.id.hash;
    const lt = kind === "other lt" ? first.id.lt + 1n : first.id.lt;
    return to("getTransactionsStd")({
      address: kind === "nowhere" ? nowhere : toRawAddress(account),
      limit: length,
      lt: String(lt),
      hash: Buffer.from(hash).toString("base64"),
      archival,
      ...(kind === "bounded" ? { to_lt: String(other.id.lt) } : {}),
    });
  });
}

/** A message between accounts, delivered or in a queue, sometimes with another lt or with its ends exchanged. */
function message({ transactions }: ChainFacts): fc.Arbitrary<ChainRequest["input"]> {
  const messages = transactions.flatMap(({ outMessages }) =>
    outMessages.flatMap(({ source: from, destination, createdLt }) =>
      from === undefined || destination === undefined ? [] : [{ from, destination, createdLt }],
    ),
  );
  const kinds = fc.constantFrom("as sent", "as sent", "as sent", "as sent", "later", "exchanged", "nowhere");
  return fc.tuple(fc.constantFrom(...messages), kinds).map(([{ from, destination, createdLt }, kind]) => {
    const ends = [toRawAddress(from), kind === "nowhere" ? nowhere : toRawAddress(destination)];
    const [first = "", second = ""] = kind === "exchanged" ? ends.toReversed() : ends;
    return { source: first, destination: second, created_lt: String(kind === "later" ? createdLt + 1n : createdLt) };
  });
}
