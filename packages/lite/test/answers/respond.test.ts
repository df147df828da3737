import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { LiteChain } from "../../src/answers/lite-chain.ts";
import { createResponder, type Respond } from "../../src/answers/respond.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { type LiteQuery, queries, withWait } from "../../src/wire/tl/queries.ts";
import { type SampleChain, sampleChain } from "../proof/sample-chain.ts";

let chain: SampleChain;
let errors: unknown[];

beforeEach(() => {
  chain = sampleChain(3);
  errors = [];
});

function responder(over: LiteChain = chain): Respond {
  return createResponder(over, {}, (error) => errors.push(error));
}

async function ask<Answer>(
  query: LiteQuery<Answer>,
  respond = responder(),
  signal = new AbortController().signal,
): Promise<Answer> {
  return query.read(await respond(query.bytes, signal));
}

describe("a query", () => {
  test("is answered with the chain's head", async () => {
    const { last, init, stateRootHash } = await ask(queries.getMasterchainInfo());
    expect(last).toEqual(chain.head());
    expect(init.rootHash).toEqual(chain.zeroState().rootHash);
    expect(stateRootHash).toEqual(chain.state(last)?.hash);
  });

  test("is answered for a chain that has only its zero state", async () => {
    const { last, stateRootHash } = await ask(queries.getMasterchainInfo(), responder(sampleChain(0)));
    expect([last.seqno, stateRootHash]).toEqual([0, last.rootHash]);
    const more = await ask(queries.getMasterchainInfoExt({ mode: 0 }), responder(sampleChain(0)));
    expect(more).toMatchObject({ last, lastUtime: 1_770_000_000 });
  });

  test("is answered with no links to a masterchain block, which needs none", async () => {
    const id = chain.head();
    expect(await ask(queries.getShardBlockProof({ id }))).toEqual({ masterchainId: id, links: [] });
  });

  test("is answered with a zero state, but with no other state", async () => {
    const id = chain.zeroState();
    const { data, ...hashes } = await ask(queries.getState({ id }));
    expect(hashes).toEqual({ id, rootHash: id.rootHash, fileHash: id.fileHash });
    expect(Buffer.compare(data, chain.blockData(id) ?? expect.fail())).toBe(0);
    await expect(ask(queries.getState({ id: chain.head() }))).rejects.toMatchObject({ code: -400 });
  });

  test("of a function that the server does not have is answered with 621", async () => {
    await expect(ask(queries.getRequestRateLimit())).rejects.toMatchObject({ code: 621 });
    const unknown = { ...queries.getTime(), bytes: Buffer.from("01020304", "hex") };
    await expect(ask(unknown)).rejects.toMatchObject({ code: 621 });
  });

  test("that is cut off is answered with 601", async () => {
    const query = queries.getBlock({ id: chain.head() });
    await expect(ask({ ...query, bytes: query.bytes.subarray(0, 40) })).rejects.toMatchObject({ code: 601 });
  });

  test("that makes the chain fail is answered with 602, and the error is reported", async () => {
    const broken: LiteChain = {
      ...chain,
      blockData: () => {
        throw new Error("the chain is damaged");
      },
    };
    await expect(ask(queries.getMasterchainInfo(), responder(broken))).rejects.toMatchObject({ code: 602 });
    expect(errors).toHaveLength(1);
  });

  test("about a shard without a prefix, or a number below 0, is refused", async () => {
    const id = { ...chain.head(), shard: 0n };
    await expect(ask(queries.lookupBlock({ mode: 1, id }))).rejects.toMatchObject({ code: -400 });
    for (const wrong of [id, { ...chain.head(), seqno: -5 }]) {
      await expect(ask(queries.getBlock({ id: wrong }))).rejects.toMatchObject({ code: 651 });
      await expect(ask(queries.getBlockOutMsgQueueSize({ mode: 0, id: wrong }))).rejects.toMatchObject({ code: 651 });
    }
  });

  test("about a block that the server may have later says how far it is", async () => {
    const id = { ...chain.head(), seqno: 4 };
    const later = { code: 651, message: expect.stringContaining("(last known masterchain block: 3)") };
    await expect(ask(queries.lookupBlock({ mode: 1, id }))).rejects.toMatchObject(later);
    await expect(ask(queries.lookupBlock({ mode: 3, id, lt: 1n }))).rejects.toMatchObject({ code: -400 });
    await expect(ask(queries.getShardBlockProof({ id: chain.zeroState() }))).rejects.toMatchObject({ code: 651 });
  });

  test("about a block or a zero state with another hash is refused", async () => {
    for (const id of [chain.head(), chain.zeroState()]) {
      for (const wrong of [
        { ...id, rootHash: id.fileHash },
        { ...id, fileHash: id.rootHash },
        { ...id, workchain: 0 },
      ]) {
        await expect(ask(queries.getBlock({ id: wrong }))).rejects.toMatchObject({ code: 651 });
        await expect(ask(queries.getBlockOutMsgQueueSize({ mode: 0, id: wrong }))).rejects.toMatchObject({ code: 651 });
      }
    }
  });

  test("with any bytes is answered, at worst with an error", async () => {
    const respond = responder();
    const head = chain.head();
    const made = [
      queries.getAccountState({ id: head, account: { workchain: -1, hash: new Uint8Array(32) } }),
      queries.lookupBlockWithProof({ mode: 2, id: head, mcBlockId: head, lt: 1n }),
      queries.listBlockTransactions({ id: head, mode: 39, count: 5 }),
      queries.getConfigParams({ mode: 0, id: head, paramList: [1, 2] }),
    ];
    const patched = fc
      .tuple(fc.constantFrom(...made), fc.uint8Array({ maxLength: 12 }), fc.nat(80))
      .map(([{ bytes }, patch, at]) => {
        const changed = Uint8Array.from(bytes);
        const from = Math.min(at, changed.length);
        changed.set(patch.subarray(0, changed.length - from), from);
        return changed;
      });
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(fc.oneof(patched, fc.uint8Array({ maxLength: 200 })), async (query) => {
        expect((await respond(query, signal)).length).toBeGreaterThanOrEqual(8);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(errors).toEqual([]);
  });
});

describe("waiting", () => {
  const next = (seqno: number, timeoutMs = 60_000) => withWait(queries.getMasterchainInfo(), { seqno, timeoutMs });

  test("ends as soon as the block is there", async () => {
    let reads = 0;
    const growing: LiteChain = {
      ...chain,
      head: () => {
        reads += 1;
        if (reads === 2 || reads === 4) chain.extend();
        return chain.head();
      },
    };
    expect((await ask(next(5), responder(growing))).last.seqno).toBe(5);
    expect(reads).toBeGreaterThanOrEqual(4);
  });

  test("ends with 652 if it is not", async () => {
    await expect(ask(next(4, 40))).rejects.toMatchObject({ code: 652 });
  });

  test("for a block more than 100 ahead is refused with 651", async () => {
    await expect(ask(next(104))).rejects.toMatchObject({
      code: 651,
      message: expect.stringMatching(/too big masterchain block seqno$/),
    });
  });

  test("ends with the connection", async () => {
    const connection = new AbortController();
    const answer = ask(next(5), responder(), connection.signal);
    connection.abort(new LiteError("unavailable", "closed"));
    await expect(answer).rejects.toThrow("closed");
  });
});

test("a connection with many queries does not delay another one", async () => {
  const respond = responder();
  const { bytes } = queries.getAccountState({ id: chain.head(), account: { workchain: -1, hash: new Uint8Array(32) } });
  const order: string[] = [];
  const busy = new AbortController().signal;
  const many = Array.from({ length: 50 }, () => respond(bytes, busy).then(() => order.push("busy")));
  const other = respond(bytes, new AbortController().signal).then(() => order.push("other"));
  await Promise.all([...many, other]);
  expect(order.indexOf("other")).toBeLessThan(3);
});

test("a chain that fails while queries wait for a block fails these queries, and nothing else", async () => {
  let isDamaged = false;
  const damaged: LiteChain = {
    ...chain,
    head: () => {
      if (isDamaged) throw new Error("the chain is damaged");
      return chain.head();
    },
  };
  const respond = responder(damaged);
  const wait = () => ask(withWait(queries.getMasterchainInfo(), { seqno: 4, timeoutMs: 5_000 }), respond);
  const waiting = [wait(), wait()];
  isDamaged = true;
  for (const one of await Promise.allSettled(waiting)) expect(one).toMatchObject({ reason: { code: 602 } });
  expect(errors).toEqual([new Error("the chain is damaged"), new Error("the chain is damaged")]);
  isDamaged = false;
  const again = wait();
  chain.extend();
  expect((await again).last.seqno).toBe(4);
});
