import { createClient } from "@chain-query/client";
import { boundedFetch, ProofError } from "@chain-query/client/verify";
import { base64, createMerkleProof, readBoc, writeBoc } from "@chain-query/format/cells";
import { accountName } from "@chain-query/format/identifiers";
import { readMasterchainParts } from "@chain-query/format/states";
import type { MadeChainOptions } from "@chain-query/local-chain/testing";
import { toHexHash } from "@chain-query/openapi/address";
import { describe, expect, test } from "vitest";
import { accountsOf } from "../fuzz/requests.ts";
import { PROVED, type ProvingService, provingService, type Tamper } from "./fixtures/proving-service.ts";

/** Rotations of validators with every second block: more than one answer has links for. */
const ROTATING = {
  seed: 6,
  accounts: 10,
  shards: 1,
  rate: 1,
  validators: 4,
  keyBlocks: 2,
  consensus: 9,
  blockInterval: 1,
  steps: 37,
} as const;

const address = `0:${"0".repeat(64)}`;

/** The part of the error that a call fails with. */
async function partOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error("believed"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProofError)) throw error;
  return error.part;
}

/** Changes the links of an answer. */
function withLinks(change: (links: unknown[]) => unknown): Tamper {
  return (body) => {
    const envelope = JSON.parse(body);
    if (envelope.proof?.links) envelope.proof.links = change(envelope.proof.links);
    return JSON.stringify(envelope);
  };
}

const advance = async (...given: Parameters<typeof provingService>): Promise<ProvingService> => {
  const service = await provingService(...given);
  await service.trust.advance(service.client);
  return service;
};

describe("the trust moves forward", () => {
  test("by 16 links a request, each of which is saved", async () => {
    const { trust, saved, seen } = await advance(ROTATING);
    expect(saved.map(({ seqno }) => seqno)).toEqual(Array.from({ length: 18 }, (_, i) => 2 * i + 2));
    expect(trust.head?.seqno).toBe(37);
    expect(seen).toEqual(["getMasterchainInfo proof; key=0", "getMasterchainInfo proof; key=32"]);
  });

  test("from a saved key block, by itself when an answer needs it, once for several calls", async () => {
    const { saved } = await advance();
    const { verified, seen } = await provingService(PROVED, undefined, { ...(saved[1] && { keyBlock: saved[1] }) });
    await Promise.all([verified.getMasterchainInfo(), verified.getConsensusBlock()]);
    expect(seen.filter((line) => line.endsWith("key=14"))).toHaveLength(1);
  });

  test("to a head that is a key block, also at the end of 16 links, where it stays, and over it when there is a later one", async () => {
    for (const steps of [6, 32]) {
      const made = { ...ROTATING, steps };
      const { trust, verified, client, saved } = await advance(made);
      await trust.advance(client);
      expect([trust.head?.seqno, saved.at(-1)?.seqno]).toEqual([steps, steps]);
      expect(await verified.getMasterchainInfo()).toEqual(await client.getMasterchainInfo());
      const keyBlock = saved.at(-1);
      const again = await provingService(made, undefined, keyBlock ? { keyBlock } : {});
      expect(await again.verified.getMasterchainInfo()).toEqual(await client.getMasterchainInfo());
    }
  });

  test("without a wait for another deployment that is silent", async () => {
    const { trust, client, verified } = await provingService();
    const fetch = () => new Promise<never>(() => {});
    const silent = createClient({ baseUrl: "http://127.0.0.1", retry: false, timeoutMs: 60_000, fetch });
    const stop = new AbortController();
    const waiting = trust.advance(silent, { signal: stop.signal });
    const { signal } = new AbortController();
    const early = new AbortController();
    const call = verified.getMasterchainInfo({ signal: early.signal });
    early.abort();
    await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
    await trust.advance(client, { signal });
  });

  test("until its signal aborts", async () => {
    const { trust, client, saved } = await provingService();
    await expect(trust.advance(client, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
    expect(saved).toEqual([]);
  });
});

describe("links are refused", () => {
  test.for<[name: string, part: string, change: (links: unknown[]) => unknown]>([
    ["over a hidden rotation", "block", (links) => links.toSpliced(1, 1)],
    ["that begin later", "block", (links) => links.slice(1)],
    ["of which one is missing a member", "block", ([first, ...rest]) => [{ ...Object(first), config: undefined }, ...rest]],
    [
      "whose head is another one",
      "signatures",
      ([first, second, ...rest]) => [{ ...Object(first), head: Object(second).head }, ...rest],
    ],
    ["of which there are too many", "limit", (links) => Array.from({ length: 17 }, () => links[0])],
    ["that are no list", "missing", () => "links"],
    ["that are an empty list", "missing", () => []],
  ])("%s", async ([, part, change]) => {
    const { trust, client, saved } = await provingService(PROVED, withLinks(change));
    expect(await partOf(trust.advance(client))).toBe(part);
    expect(saved.length).toBeLessThan(3);
  });

  test("to the trusted key block itself, which needs no signatures", async () => {
    const honest = await advance(ROTATING);
    const linkFrom = async (key: number) => {
      const headers = { prefer: `proof; key=${key}` };
      const { envelope } = await honest.client.getMasterchainInfo({ headers }).withResponse();
      return Object(envelope).proof.links[0];
    };
    const { head } = await linkFrom(0);
    const loop = { ...(await linkFrom(2)), head };
    const keyBlock = honest.saved[0] ?? expect.unreachable();
    const { trust, client } = await provingService(
      ROTATING,
      withLinks(() => Array(16).fill(loop)),
      { keyBlock },
    );
    expect(await partOf(trust.advance(client))).toBe("head");
  });

  test("without validators, and the next answer is believed", async () => {
    let isLying = true;
    const withoutValidators = withLinks(([first, ...rest]) => [{ ...Object(first), config: shortConfig }, ...rest]);
    const service = await provingService(PROVED, (body, request) => (isLying ? withoutValidators(body, request) : body));
    const zeroState = readBoc(service.chain.blockData(service.chain.genesis().block) ?? expect.unreachable());
    const shortConfig = base64(writeBoc(createMerkleProof(zeroState, (state) => void readMasterchainParts(state).config)));
    await expect(service.trust.advance(service.client)).rejects.toBeInstanceOf(ProofError);
    isLying = false;
    expect(await service.verified.getConsensusBlock()).toEqual(await service.client.getConsensusBlock());
  });

  test("of a deployment without proofs", async () => {
    const { trust, client } = await provingService(PROVED, (body) => body.replace(/"proof":.*,"@extra"/, '"@extra"'));
    expect(await partOf(trust.advance(client))).toBe("missing");
  });
});

describe("a head is refused", () => {
  test.for<[name: string, part: string, options: (service: ProvingService) => object]>([
    ["that is too old", "age", ({ chain }) => ({ now: () => (chain.head().block.time + 61) * 1_000 })],
    ["from the future", "age", ({ chain }) => ({ now: () => (chain.head().block.time - 61) * 1_000 })],
    [
      "of another network",
      "head",
      ({ trust: { keyBlock } }) => ({ network: { name: "chain", globalId: 7, zeroState: keyBlock } }),
    ],
    ["after a hard fork", "unsupported", ({ trust }) => ({ keyBlock: { ...trust.keyBlock, verticalSeqno: 1 } })],
    [
      "from an old key block",
      "age",
      ({ trust }) => ({ keyBlock: { ...trust.keyBlock, time: trust.keyBlock.time - 30 * 86_400 } }),
    ],
    ["from another key block", "head", ({ trust }) => ({ keyBlock: { ...trust.keyBlock, seqno: 24 } })],
  ])("%s", async ([, part, options]) => {
    const { verified } = await provingService(PROVED, undefined, options(await provingService()));
    expect(await partOf(verified.getMasterchainInfo())).toBe(part);
  });

  test("that is older than one before, or another one of its number, which ends all trust", async () => {
    let replayed: string | undefined;
    const { verified, trust, client } = await advance({ ...ROTATING, steps: 7 }, (body) => replayed ?? body);
    const answerOf = async (made: MadeChainOptions, prefer: string) => {
      const other = await provingService(made);
      return JSON.stringify((await other.client.getMasterchainInfo({ headers: { prefer } }).withResponse()).envelope);
    };
    await verified.getMasterchainInfo();
    replayed = await answerOf({ ...ROTATING, steps: 6 }, "proof");
    expect(await partOf(verified.getMasterchainInfo())).toBe("head");
    replayed = await answerOf({ ...ROTATING, steps: 6 }, "proof; key=6");
    await trust.advance(client);
    expect(trust.head?.seqno).toBe(7);
    replayed = await answerOf({ ...ROTATING, steps: 7, fork: { after: 6, rate: 3 } }, "proof; key=6");
    expect(await partOf(trust.advance(client))).toBe("fork");
    replayed = undefined;
    expect(await partOf(verified.getMasterchainInfo())).toBe("fork");
    expect(await partOf(trust.advance(client))).toBe("fork");
    expect(await partOf(verified.getTransactionsStd({ address, lt: "1", hash: "0".repeat(64) }))).toBe("fork");
  });
});

test("a request names the newest head as the lowest, and as verified while it is recent", async () => {
  let age = 3;
  const named: (string | null)[] = [];
  const lowestOf = (body: string, { headers }: Request) => {
    named.push(headers.get("chain-min-head"));
    return body;
  };
  const { chain } = await provingService();
  const now = () => (chain.head().block.time + age) * 1_000;
  const { verified, trust, client, seen } = await provingService(PROVED, lowestOf, { now });
  await trust.advance(client);
  await verified.getConsensusBlock();
  age = 61;
  expect(await partOf(verified.getConsensusBlock())).toBe("age");
  expect(seen.slice(1)).toEqual(["getConsensusBlock proof; head=24", "getConsensusBlock proof"]);
  expect(named.slice(1)).toEqual(["24", "24"]);
});

test("an answer from before a key block that another call has read meanwhile is asked for again", async () => {
  const before = await provingService({ ...ROTATING, steps: 5 });
  const headers = { prefer: "proof" };
  const late = [JSON.stringify((await before.client.getConsensusBlock({ headers }).withResponse()).envelope)];
  const isMeant = ({ url }: Request) => url.includes("getConsensusBlock");
  const { verified, trust, client, seen } = await provingService(ROTATING, (body, request) =>
    isMeant(request) ? (late.pop() ?? body) : body,
  );
  const advancing = trust.advance(client);
  const answer = await verified.getConsensusBlock();
  await advancing;
  expect(answer.consensus_block).toBe(37);
  expect(seen.filter((line) => line.startsWith("getConsensusBlock"))).toHaveLength(2);
});

test("a later page needs a start of an earlier answer", async () => {
  let replayed: string | undefined;
  const { verified, client, chain } = await provingService(PROVED, (body) => replayed ?? body);
  for (const account of accountsOf(chain)) {
    const address = accountName(account);
    const { lt, hash } = (await client.getTransactionsStd({ address, limit: 1 })).previous_transaction_id;
    if (lt === "0") continue;
    const next = { address, limit: 1, lt, hash };
    expect(await partOf(verified.getTransactionsStd(next))).toBe("missing");
    await verified.getTransactionsStd({ address, limit: 1 });
    expect(await verified.getTransactionsStd(next)).toEqual(await client.getTransactionsStd(next));
    const inHex = { ...next, hash: toHexHash(hash) };
    expect(await verified.getTransactionsStd(inHex)).toEqual(await client.getTransactionsStd(inHex));
    replayed = JSON.stringify((await client.getTransactionsStd(next).withResponse()).envelope);
    expect(await partOf(verified.getTransactionsStd({ ...next, hash: "0".repeat(64) }))).toBe("missing");
    return;
  }
  expect.unreachable("no account has two transactions");
});

test("the question is the one that was asked, though the app writes the next one into the same object", async () => {
  const { verified, client, chain } = await provingService();
  const [one = expect.unreachable(), other = expect.unreachable()] = accountsOf(chain).map(accountName);
  const input = { address: one };
  const call = verified.getAddressInformation(input);
  input.address = other;
  expect(await call).toEqual(await client.getAddressInformation({ address: one }));
});

test("a call can be read by withResponse or safe alone", async () => {
  const { verified, chain } = await provingService();
  const { result, envelope } = await verified.getConsensusBlock().withResponse();
  expect([result.consensus_block, envelope.result, "proof" in envelope]).toEqual([chain.head().block.id.seqno, result, true]);
  const late = { workchain: -1, shard: "-9223372036854775808", seqno: 4_000_000 };
  expect(await verified.lookupBlock(late).safe()).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
  await expect(verified.lookupBlock(late).withResponse()).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { verified: refused } = await provingService(PROVED, (body) => body.replace(/"proof":.*,"@extra"/, '"@extra"'));
  expect(await partOf(refused.getConsensusBlock().safe())).toBe("missing");
});

test("a long response is cut off while it arrives, or refused unread", async () => {
  let sent = 0;
  const endless = (status: number) => async () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(40_000 + sent++)) }), { status });
  const { trust } = await provingService();
  const at = { baseUrl: "http://127.0.0.1", retry: false } as const;
  for (const status of [200, 500]) {
    sent = 0;
    expect(await partOf(trust.advance(createClient({ ...at, fetch: boundedFetch(endless(status)) })))).toBe("limit");
    expect(sent).toBeLessThan(12);
  }
  const long = async () => new Response(JSON.stringify({ ok: true, result: "a".repeat(256_000) }));
  expect(await partOf(trust.advance(createClient({ ...at, fetch: long })))).toBe("limit");
});
