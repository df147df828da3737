import { FROZEN } from "@chain-query/testing/chains";
/** The service gives the same responses whether it reads a folder, lite servers over the folder, or an index of the chain. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { accountName, blockName, prefixLength, shardName } from "@chain-query/format/identifiers";
import type { Message } from "@chain-query/format/store";
import { chainSteps, firstWallet, openChain, openProducer } from "@chain-query/local-chain";
import { copyMadeChain, type MadeChainOptions } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import { operations } from "@chain-query/openapi/operations";
import { dropHistory } from "@chain-query/postgres-store";
import { sharedPostgres } from "@chain-query/testing/services";
import { Cell } from "@ton/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SourceOptions } from "../../src/serve-options.ts";
import { resultOf } from "../fixtures/ask.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";
import { indexedDatabase, indexOf, reshardedChain, unevenChain } from "../postgres/indexed-chain.ts";
import { type ChainFacts, chainRequests, factsOf } from "./chain-requests.ts";
import { type Difference, differences, type HttpRequest, httpRequest } from "./compare.ts";

export const documentedRequests: readonly HttpRequest[] = operations.flatMap(({ examples }) =>
  examples.map(({ request }) => request),
);

/** Seconds. Responses are compared on a busy machine, too; other tests are about deadlines. */
export const patientDeadline = 60;

/** Milliseconds between steps of a growing chain, as in networks. Without a pause, a slower machine would make more steps. */
const stepInterval = 400;

/** Of the index whose partitions of five steps were dropped. */
const firstSeqno = 20;

/** The numbers of requests to compare. */
interface ParityPlan {
  /** Generated requests at one head. */
  readonly count: number;
  /** Generated requests to an index without old history: enough for every kind of answer. */
  readonly ofRecent: number;
  /** Blocks; after each of them, all services are compared. */
  readonly steps: number;
}

/** Compares the services on every source with the one on the folder. */
export function compareOnChain(options: MadeChainOptions, { count, ofRecent, steps }: ParityPlan): void {
  const resources = new AsyncDisposableStack();
  let parity: Awaited<ReturnType<typeof startSources>>;
  beforeAll(async () => {
    parity = await startSources(resources, options);
  });
  afterAll(() => resources.disposeAsync());

  if (options === FROZEN) {
    test("the chain has accounts, messages and transactions of every kind", async () => {
      const { chain, facts, direct } = parity;
      const reader = openChain(chain);
      const states = facts.accounts.map((account) => reader.account(account));
      await reader.close();
      expect(new Set(states.map((state) => state?.status))).toEqual(new Set(["active", "frozen", "uninitialized"]));
      const isDeleted = (state: (typeof states)[number]): boolean => state?.last.lt === 0n;
      expect(new Set(states.map(isDeleted))).toEqual(new Set([true, false]));
      const { shards } = await resultOf(direct, "getOutMsgQueueSize");
      expect(shards.some(({ size }) => size > 0)).toBe(true);
      const { transactions } = facts;
      expect(new Set(transactions.map(({ account }) => account.workchain))).toEqual(new Set([-1, 0]));
      expect(transactions.some(({ inMessage }) => inMessage?.source === undefined)).toBe(true);
      expect(transactions.some(({ inMessage }) => inMessage !== undefined && isBounce(inMessage))).toBe(true);
    });
  } else {
    test("the chain has splits and merges, and accounts that were deleted and made again", () => {
      const { facts } = parity;
      const inStep = Map.groupBy(facts.blocks, ({ id, masterchainSeqno }) => `${shardName(id)} ${masterchainSeqno}`);
      expect(Math.max(...Array.from(inStep.values(), ({ length }) => length))).toBe(options === unevenChain ? 3 : 1);
      const depths = facts.blocks.map(({ id, previous }) => prefixLength(id.shard) - prefixLength(previous.shard));
      expect(depths.filter((change) => change > 0).length).toBeGreaterThanOrEqual(12);
      expect(depths.filter((change) => change < 0).length).toBeGreaterThanOrEqual(6);
      // Their histories begin anew.
      const beginnings = facts.transactions.filter(({ previous }) => previous.lt === 0n);
      expect(beginnings.length).toBeGreaterThan(new Set(beginnings.map(({ account }) => accountName(account))).size);
    });

    if (options === reshardedChain)
      test("the configuration suspends accounts, and key blocks begin and end it", async () => {
        const { facts, direct, growing, archived, late } = parity;
        const address = toRawAddress(firstWallet(BigInt(options.seed), 0));
        const seqnos = Array.from({ length: facts.head }, (_, index) => index + 1);
        const inputs = seqnos.map((seqno) => ({ address, seqno: String(seqno) }));
        const states = await Promise.all(inputs.map((input) => resultOf(direct, "getAddressInformation", input)));
        const found = states.flatMap(({ suspended, block_id: { seqno } }) => (suspended ? [seqno] : []));
        expect(found).toEqual(seqnos.filter((seqno) => seqno < 30 && Math.floor(seqno / 5) % 2 === 0));
        const requests = inputs.map((input) => httpRequest({ operation: "getAddressInformation", input }));
        expect(await differences([direct, ...growing, archived, late], requests)).toMatchObject({ different: [] });
      });
  }

  describe("lite servers and an index give the responses of the folder", () => {
    test("at one head, also with old transactions of archival lite servers only", async () => {
      const { facts, direct, growing, archived } = parity;
      const requests = [...documentedRequests, ...chainRequests(facts, { count, seed: 15 }).map(httpRequest)];
      expect(await differences([direct, ...growing, archived], requests)).toMatchObject({ different: [] });
    });

    test("at one head, from an index that begins late and archival lite servers", async () => {
      const { facts, direct, late } = parity;
      // Its history is younger than the retention of some chains.
      const requests = chainRequests(facts, { count, seed: 16 }).map(({ operation, input }) =>
        httpRequest({ operation, input: operation === "getTransactionsStd" ? { ...input, archival: true } : input }),
      );
      expect(await differences([direct, late], requests)).toMatchObject({ different: [] });
    });

    test("from an index without old history, where nothing was dropped; the rest is refused or ends early", async () => {
      const { facts, direct, recentOnly } = parity;
      const requests = chainRequests(facts, { count: ofRecent, seed: 17 });
      const { different } = await differences([direct, recentOnly], requests.map(httpRequest));
      const dropped = facts.blocks.find(({ id }) => id.workchain === -1 && id.seqno === firstSeqno - 1);
      const endLt = dropped?.endLt ?? expect.unreachable();
      const stepOf = stepsOf(facts);
      const kinds = different.map((one) => expectDropped(one, { firstSeqno, endLt, stepOf }));
      expect([...new Set(kinds)].sort()).toEqual([
        "getAddressInformation 500",
        "getTransactionsStd 200",
        "getTransactionsStd 500",
        "tryLocateResultTx 500",
        "tryLocateSourceTx 500",
      ]);
    });

    test("at each head and of the past while the chain grows", async () => {
      const { facts, direct, growing, wire, producer, index } = parity;
      const urls = [direct, ...growing] as const;
      for (let step = 0; step < steps; step++) {
        const { seqno } = await producer.step();
        await index.follow();
        await waitForHead(wire, seqno);
        const requests = chainRequests(facts, { count: Math.ceil(count / 10), seed: seqno }).map(httpRequest);
        expect(await differences(urls, requests), `at ${seqno}`).toMatchObject({ different: [] });
      }
      // Of the past, so that the responses are the same at any head.
      const past = chainRequests(facts, { count: Math.ceil(count / 4), seed: 3, pinned: true }).map(httpRequest);
      let isGrowing = true;
      const grow = async (): Promise<void> => {
        while (isGrowing) {
          await producer.step();
          await index.follow();
          await sleep(stepInterval);
        }
      };
      const compared = differences(urls, past).finally(() => {
        isGrowing = false;
      });
      const [found] = await Promise.all([compared, grow()]);
      expect(found.different.filter(({ answers: [right, other] }) => withoutTips(right) !== withoutTips(other))).toEqual([]);
    });
  });
}

/** A response without the newest blocks of the shards, which the error for a number without a block names. */
function withoutTips(answer: string): string {
  return answer.replace(/; the shards of workchain [^"]*/, "");
}

/** An index with lite servers. */
export function lateSource(primary: string, servers: string, archival: string | undefined): SourceOptions {
  const lite = { servers, archival, rate: 10_000 } as const;
  return { kind: "index", primary, replicas: [], lite } as const;
}

async function startSources(resources: AsyncDisposableStack, options: MadeChainOptions) {
  const folder = resources.use(temporaryFolder());
  const chain = join(folder.path, "chain");
  await copyMadeChain(chain, options);
  const producer = await openProducer(chain);
  resources.defer(() => producer.close());
  const facts = await factsOf(chain);
  const { config } = resources.use(await startLiteNetwork(chain, 3));
  const server = await sharedPostgres();
  const index = resources.use(await indexOf(chainSteps(chain), await indexedDatabase(server, options)));
  const recent = await indexedDatabase(server, options, { partition: 5 });
  await dropHistory({ url: recent }, { before: { step: firstSeqno } });
  const start = async (overrides: Parameters<typeof startService>[0]): Promise<string> =>
    resources.use(await startService({ deadline: patientDeadline, ...overrides })).url;
  const onIndex = (primary: string): Promise<string> => start({ source: { kind: "index", primary, replicas: [] } });
  const wire = await start(onLiteServers(config));
  await waitForHead(wire, facts.head);
  return {
    ...{ chain, producer, facts, index, wire },
    direct: await start({ source: { kind: "chain", folder: chain } }),
    /** They follow the chain. */
    growing: [wire, await onIndex(index.url)],
    /** Reads from a database whose old partitions were dropped, and from archival lite servers. */
    archived: await start({ source: lateSource(recent, config, config) }),
    /** Reads from an index that begins late, and from lite servers what it does not have. */
    late: await start({ source: lateSource(await indexedDatabase(server, options, { first: firstSeqno }), config, config) }),
    /** The same as `archived` without lite servers. */
    recentOnly: await onIndex(recent),
  };
}

/** The body of a bounced message begins with 32 ones. */
function isBounce({ body }: Message): boolean {
  const slice = Cell.fromBoc(Buffer.from(body))[0]?.beginParse();
  return slice !== undefined && slice.remainingBits >= 32 && slice.loadUint(32) === 0xffffffff;
}

/** Expects a response to be different because an index does not have the history before a step. Returns the kind of the response. */
export function expectDropped({ request, answers }: Difference, { firstSeqno, endLt, stepOf }: DroppedHistory): string {
  const [right, found] = answers.map(partsOf);
  const asked = { ...request.query, ...(request.body as object) } as Record<string, string>;
  if (found?.status === 500 && found.error.startsWith("the block of ")) {
    // Never of a block that the index has.
    const block = JSON.parse(answers[0].slice(answers[0].indexOf("{"))).result;
    const name = block && blockName({ ...block, shard: BigInt(block.shard) });
    expect(stepOf.get(name) ?? 0).toBeLessThan(firstSeqno);
    const [, field = "", value] = /^the block of (\w+) (\d+) is not in this node's history$/.exec(found.error) ?? [];
    expect(String(asked[field === "time" ? "unixtime" : field])).toBe(value);
  } else if (found?.status === 500) {
    expect(found.error).toMatch(/^(?:lt|masterchain block|a message of lt) \d+ is not in this node's history/);
    const [, number = ""] = /(\d+) is/.exec(found.error) ?? [];
    if (found.error.startsWith("masterchain")) expect(Number(number)).toBeLessThan(firstSeqno);
    else expect(BigInt(number)).toBeLessThan(endLt);
    expect([asked["seqno"], asked["lt"], asked["created_lt"], right?.first?.lt]).toContain(number);
    // Never of existing data.
    if (right?.first) expect(stepOf.get(right.first.hash)).toBeLessThan(firstSeqno);
  } else {
    expect(found?.transactions.length).toBeGreaterThan(0);
    expect(found?.transactions).toEqual(right?.transactions.slice(0, found?.transactions.length));
    expect(BigInt(found?.next ?? "")).toBeLessThan(endLt);
  }
  return `${request.path.slice(8)} ${found?.status}`;
}

/** The history that an index does not have. */
export interface DroppedHistory {
  /** The first step that it has. */
  readonly firstSeqno: number;
  readonly endLt: bigint;
  /** Of each transaction, by its hash, and of each block, by its name. */
  readonly stepOf: ReadonlyMap<string, number>;
}

/** The steps of transactions by their hashes, and of blocks by their names. */
export function stepsOf({ transactions, blocks }: ChainFacts): ReadonlyMap<string, number> {
  const ofTransactions = transactions.map(({ id, masterchainSeqno }) => [base64(id.hash), masterchainSeqno] as const);
  return new Map([...ofTransactions, ...blocks.map(({ id, masterchainSeqno }) => [blockName(id), masterchainSeqno] as const)]);
}

/** The parts of a response that tell whether another one is a part of it. */
function partsOf(answer: string) {
  const { result, error = "" } = JSON.parse(answer.slice(answer.indexOf("{")));
  const transactions: readonly { transaction_id: { lt: string; hash: string } }[] = result?.transactions ?? [];
  return {
    ...{ status: Number(answer.slice(0, 3)), error: String(error), transactions },
    /** Of a page, or of the transaction of a message. */
    first:
      transactions[0]?.transaction_id ?? (result?.transaction_id as (typeof transactions)[0]["transaction_id"] | undefined),
    next: result?.previous_transaction_id?.lt as string | undefined,
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
