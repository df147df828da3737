/**
 * The service on a folder and the service on lite servers over the same folder give the same answers. PARITY_REQUESTS sets the number of
 * generated requests for each level of trust.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Message, openChain, openProducer } from "@chain-query/local-chain";
import { continueStory, createStory } from "@chain-query/local-chain/story";
import { operations } from "@chain-query/openapi/operations";
import { Cell } from "@ton/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteNetwork, startLiteServers } from "../../bench/lite-servers.ts";
import { resultOf } from "../fixtures/ask.ts";
import { startService, type TestService } from "../fixtures/service.ts";
import { chainRequests } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";
import { startWireService, waitForHead } from "./network.ts";
import { type ParityChain, startParityChain } from "./parity-chain.ts";

const count = Number(process.env["PARITY_REQUESTS"] ?? 600);
const trusts = ["none", "proofs"] as const;

let parity: ParityChain;
let network: LiteNetwork;

beforeAll(async () => {
  parity = await startParityChain({ accounts: 100, steps: 40 });
  network = await startLiteServers(parity.chain, 3);
});
afterAll(async () => {
  await network?.[Symbol.asyncDispose]();
  await parity?.[Symbol.asyncDispose]();
});

test("the chain has accounts, messages and transactions of every kind", async () => {
  const { facts, direct } = parity;
  const reader = openChain(parity.chain);
  const states = facts.accounts.map((account) => reader.account(account));
  await reader.close();
  expect(new Set(states.map((state) => state?.status))).toEqual(new Set(["active", "frozen", "uninitialized"]));
  const isDeleted = (state: (typeof states)[number]): boolean => state?.last.lt === 0n;
  expect(new Set(states.map(isDeleted))).toEqual(new Set([true, false]));
  const { shards } = await resultOf(direct.url, "getOutMsgQueueSize");
  expect(shards.some(({ size }) => size > 0)).toBe(true);
  const { transactions } = facts;
  expect(new Set(transactions.map(({ account }) => account.workchain))).toEqual(new Set([-1, 0]));
  expect(transactions.some(({ inMessage }) => inMessage?.source === undefined)).toBe(true);
  expect(transactions.some(({ inMessage }) => inMessage !== undefined && isBounce(inMessage))).toBe(true);
});

/** The body of a bounced message begins with 32 ones. */
function isBounce({ body }: Message): boolean {
  const slice = Cell.fromBoc(Buffer.from(body))[0]?.beginParse();
  return slice !== undefined && slice.remainingBits >= 32 && slice.loadUint(32) === 0xffffffff;
}

describe.each(trusts)("with --trust %s, the answers from lite servers are those from the folder", (trust) => {
  test("at one head", async () => {
    const { facts, direct } = parity;
    await using wire = await startWireService(network.config, "--trust", trust);
    await waitForHead(wire.at, facts.head);
    const requests = chainRequests(facts, { count, seed: 15 }).map(httpRequest);
    expect(await differences([direct.url, wire.at], requests)).toMatchObject({ different: [] });
  });

  test("while the chain grows", async () => {
    const { facts, direct, producer } = parity;
    await using wire = await startWireService(network.config, "--trust", trust);
    const urls = [direct.url, wire.at] as const;
    for (let step = 0; step < 5; step++) {
      const { seqno } = await producer.step();
      await waitForHead(wire.at, seqno);
      const requests = chainRequests(facts, { count: count / 20, seed: seqno }).map(httpRequest);
      expect(await differences(urls, requests), `at ${seqno}`).toMatchObject({ different: [] });
    }
    // Of the past, so that the answers are the same at any head.
    const past = chainRequests(facts, { count: count / 4, seed: 3, pinned: true }).map(httpRequest);
    let growing = true;
    const grow = async (): Promise<void> => {
      while (growing) {
        await producer.step();
        await sleep(100);
      }
    };
    const [found] = await Promise.all([
      differences(urls, past).finally(() => {
        growing = false;
      }),
      grow(),
    ]);
    expect(found).toMatchObject({ different: [] });
  });
});

describe("the documented requests", () => {
  const requests = operations.flatMap(({ examples }) => examples.map(({ request }) => request));

  let head: number;
  let folderService: TestService;
  let servers: LiteNetwork;

  beforeAll(async () => {
    const story = join(parity.path, "story");
    await createStory(story);
    const teller = await openProducer(story);
    for await (const { seqno } of continueStory(teller)) head = seqno;
    await teller.close();
    folderService = await startService({ chain: story });
    servers = await startLiteServers(story, 3);
  });
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
    await folderService?.[Symbol.asyncDispose]();
  });

  test.each(trusts)("are answered alike with --trust %s", async (trust) => {
    await using wire = await startWireService(servers.config, "--trust", trust);
    await waitForHead(wire.at, head);
    expect(await differences([folderService.url, wire.at], requests)).toMatchObject({ different: [] });
  });
});
