/** What the client hides of faults: the blocks that they name, their scope, their order, and the bags that they change. */

import { CellBuilder, createMerkleProof, openMerkleProof, readBoc, readBocRoots, writeBoc } from "@chain-query/format/cells";
import { expect, test } from "vitest";
import { combine, type LiteBehaviour } from "../../src/answers/behaviour.ts";
import { createResponder } from "../../src/answers/respond.ts";
import { forkedHead, frozenHead, futureHead, headGoesBack, staleHead } from "../../src/faults/chain-tips.ts";
import { delay, refuse, silence } from "../../src/faults/failing-answers.ts";
import { flipBitOf, forge } from "../../src/faults/false-answers.ts";
import { type LiteQuery, queries } from "../../src/wire/tl/queries.ts";
import { sampleChain } from "../proof/sample-chain.ts";

const SEQNO = 20;
const chain = sampleChain(SEQNO);

/** Asks a server with behaviours. */
function serverWith(...behaviours: readonly LiteBehaviour[]) {
  const behaviour = combine(...behaviours);
  const respond = createResponder(behaviour.chain?.(chain) ?? chain, behaviour, () => expect.unreachable());
  const { signal } = new AbortController();
  return async <Answer>(query: LiteQuery<Answer>): Promise<Answer> => query.read(await respond(query.bytes, signal));
}

test("an answer is honest outside the scope of a behaviour", async () => {
  const ask = serverWith(refuse(651, "no", { name: "getTime", after: 1, times: 1 }));
  await ask(queries.getTime());
  await expect(ask(queries.getTime())).rejects.toMatchObject({ code: 651 });
  await ask(queries.getTime());
  expect((await ask(queries.getMasterchainInfo())).last).toEqual(chain.head());
});

test.each([
  ["older", () => staleHead(5), [SEQNO - 5, SEQNO - 5]],
  ["older each second time", () => headGoesBack(3), [SEQNO, SEQNO - 3]],
  ["from the future", () => futureHead(), [SEQNO + 1_000_000, SEQNO + 1_000_000]],
] as const)("the newest block is %s", async (_, behaviour, seqnos) => {
  const ask = serverWith(behaviour());
  const read = async () => (await ask(queries.getMasterchainInfo())).last.seqno;
  expect([await read(), await read()]).toEqual(seqnos);
});

test("the newest block stays that at the server's start, or has another hash", async () => {
  const [frozen, forked] = [serverWith(frozenHead()), serverWith(forkedHead())];
  const before = chain.head();
  chain.extend();
  expect((await frozen(queries.getMasterchainInfo())).last).toEqual(before);
  const { last } = await forked(queries.getMasterchainInfo());
  expect([last.seqno, last.rootHash]).toEqual([SEQNO + 1, chain.head().rootHash.map((byte) => byte ^ 0xff)]);
});

test("several behaviours apply one after the other", async () => {
  const ask = serverWith(
    staleHead(2),
    delay(10),
    combine(refuse(651, "no", { name: "getTime" }), silence({ name: "getVersion" })),
  );
  const silent = ask(queries.getVersion()).then(() => expect.unreachable());
  expect((await ask(queries.getMasterchainInfo())).last.seqno).toBe(chain.head().seqno - 2);
  await expect(ask(queries.getTime())).rejects.toMatchObject({ code: 651 });
  expect(await Promise.race([silent, new Promise((resolve) => setImmediate(resolve, "no answer"))])).toBe("no answer");
});

const leaf = new CellBuilder().uint(0x1234, 16).cell();
const tree = new CellBuilder().uint(1, 8).ref(leaf).cell();

test("a flipped bit is detected by the checksum", () => {
  expect(() => readBoc(flipBitOf(writeBoc(tree)))).toThrow("checksum");
});

test("a forged bag is detected by its hash alone", () => {
  const forged = readBoc(forge(writeBoc(tree)));
  expect(forged.refs[0]?.bytes).toEqual(Uint8Array.of(0x92, 0x34));
  const proof = createMerkleProof(tree, (root, keep) => keep(root));
  const [forgedProof] = readBocRoots(forge(writeBoc(proof)));
  expect(forgedProof?.type).toBe("proof");
  expect(() => forgedProof && openMerkleProof(forgedProof, tree.hash)).toThrow("must prove the tree");
});
