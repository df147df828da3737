/** A chain with a rotation of validators at every fourth block, and lite servers' proofs of it. */
import type { Cell } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { expect, test, vi } from "vitest";
import { type AskForProof, follow, followBlockProof } from "../../src/head/follow-block-proof.ts";
import { readQuery, writeAnswer } from "../../src/wire/tl/queries.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import {
  backLink,
  catchainConfig,
  configOf,
  type ForwardLink,
  forwardLink,
  proofWith,
  type SignedBlock,
  setOf,
  signedChain,
  validator,
} from "../proof/signed-chain.ts";

const { signal } = new AbortController();

const configOfFour = (first: number): Cell =>
  configOf({ 28: catchainConfig(true), 34: setOf([0, 1, 2, 3].map((number) => validator(first + number))) });
const chain: readonly SignedBlock[] = signedChain(24, {
  0: configOfFour(1),
  4: configOfFour(3),
  8: configOfFour(5),
  12: configOfFour(7),
  16: configOfFour(9),
  20: configOfFour(11),
});
const at = (seqno: number): SignedBlock => chain[seqno] as SignedBlock;
const keyBlocks = [0, 4, 8, 12, 16, 20];
type Answer = LiteAnswer<"getBlockProof">;

/** The links that a lite server gives: from key block to key block, and back where the next one is too far. */
function honestAnswer(known: BlockId, target: BlockId, maxLinks: number): Answer {
  const steps: Answer["steps"][number][] = [];
  let { seqno } = known;
  while (seqno !== target.seqno && steps.length < maxLinks) {
    const key = keyBlocks.findLast((one) => one <= seqno) ?? 0;
    const next =
      target.seqno < seqno ? target.seqno : key < seqno ? key : (keyBlocks.find((one) => one > seqno) ?? target.seqno);
    steps.push(next < seqno ? backLink(at(seqno), at(next)) : forwardLink(at(seqno), at(next)));
    seqno = next;
  }
  return { complete: seqno === target.seqno, from: known, to: at(seqno).id, steps };
}

/** The answer to the bytes of a query. Without a target, block 24 is the newest. */
function answerProof(bytes: Uint8Array, maxLinks = 16, change: (answer: Answer) => Answer = (answer) => answer): Uint8Array {
  const call = readQuery(bytes);
  if (call.name !== "getBlockProof") throw new Error(`a query of ${call.name}`);
  const { knownBlock, targetBlock = at(24).id } = call.args;
  return writeAnswer("getBlockProof", change(honestAnswer(knownBlock, targetBlock, maxLinks)));
}

/** A server's answers, after a change. */
function server(maxLinks: number, change: (answer: Answer) => Answer = (answer) => answer) {
  let queries = 0;
  return {
    query: vi.fn(async (bytes: Uint8Array) => {
      queries += 1;
      if (queries > chain.length) throw new Error("the server is asked without end");
      return answerProof(bytes, maxLinks, change);
    }),
  };
}

test.each([
  ["the zero state to the newest block", 0, undefined, 24, 20, 6],
  ["the zero state to a block", 0, 23, 23, 20, 6],
  ["any block to a later one", 6, 24, 24, 20, 6],
  ["a block to one before the next key block", 5, 6, 6, 8, 3],
  ["a block to an earlier one", 22, 9, 9, undefined, 1],
  ["a key block to an earlier one", 20, 0, 0, 0, 1],
  ["a block to itself", 7, 7, 7, undefined, 0],
])("answers of a few links lead from %s", async (_, from, to, expected, key, links) => {
  for (const maxLinks of [2, 16]) {
    const honest = server(maxLinks);
    const progress: number[] = [];
    const target = to === undefined ? undefined : at(to).id;
    const onProgress = ({ block }: { block: BlockId }) => progress.push(block.seqno);
    const verified = await followBlockProof(honest, at(from).id, { target, signal, onProgress });
    expect(verified.block).toEqual(at(expected).id);
    expect(verified.keyBlock?.seqno).toBe(key);
    expect(honest.query).toHaveBeenCalledTimes(Math.ceil(links / maxLinks));
    expect(progress).toHaveLength(Math.ceil(links / maxLinks));
  }
});

test("signatures and key blocks of all answers count", async () => {
  const verified = await followBlockProof(server(2), at(0).id, { target: at(19).id, signal });
  // Six links, of which the last leads back from a key block.
  expect(verified).toEqual({ block: at(19).id, keyBlock: at(20).id, signatures: 5 * 3 });
});

test("while an answer is verified, the next one is on its way, and no other", async () => {
  const honest = server(2);
  const steps: string[] = [];
  const query = (bytes: Uint8Array) => {
    steps.push("query");
    return honest.query(bytes);
  };
  await followBlockProof({ query }, at(0).id, { signal, onProgress: () => void steps.push("verified") });
  expect(steps).toEqual(["query", "query", "verified", "query", "verified", "verified"]);
});

test("an answer does not count if the one before is wrong", async () => {
  const forged = { nodeIdShort: new Uint8Array(32), signature: new Uint8Array(64) };
  const dishonest = server(2, (answer) => {
    const [first, ...others] = answer.steps;
    if (first?.type !== "blockLinkForward" || first.from.seqno > 0) return answer;
    return { ...answer, steps: [{ ...first, signatures: { ...first.signatures, signatures: [forged] } }, ...others] };
  });
  const onProgress = vi.fn();
  await expect(followBlockProof(dishonest, at(0).id, { signal, onProgress })).rejects.toThrow("is not a validator");
  expect(onProgress).not.toHaveBeenCalled();
});

test("the next query ends if an answer is wrong", async () => {
  const dishonest = server(2, (answer) => ({ ...answer, from: at(4).id }));
  const signals: AbortSignal[] = [];
  const ask: AskForProof = async ({ query, check }, ended) => {
    signals.push(ended);
    if (signals.length > 1) return Promise.withResolvers<never>().promise;
    return check(query.read(await dishonest.query(query.bytes)), ended);
  };
  await expect(follow(ask, at(0).id, { target: at(24).id, signal })).rejects.toThrow();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

/** A server that answers the same query differently the second time, to lead to a chain of its own validators. */
const invented = signedChain(24, { 0: configOfFour(101), 8: configOfFour(105), 20: configOfFour(111) });
const inventedAt = (seqno: number): SignedBlock => invented[seqno] as SignedBlock;

/** The candidate of a link is longer than it should be. */
function withLongCandidate(link: ForwardLink): ForwardLink {
  const { signatures } = link;
  if (signatures.type !== "signatureSet.simplex") throw new Error("a link in the Simplex form is needed");
  return { ...link, signatures: { ...signatures, candidate: Buffer.concat([signatures.candidate, Buffer.alloc(4)]) } };
}

/**
 * From block 0 it leads to the invented block 8 at first, by a link that does not hold, and then to the right block 4. From any other
 * block it leads from the invented block 8 to the target.
 */
function changedAnswers(): { readonly target: BlockId; readonly answer: (bytes: Uint8Array) => Uint8Array } {
  let isFirst = true;
  const answer = (bytes: Uint8Array): Uint8Array => {
    const call = readQuery(bytes);
    if (call.name !== "getBlockProof") throw new Error(`a query of ${call.name}`);
    const from = call.args.knownBlock;
    if (from.seqno > 0) {
      const steps = [forwardLink(inventedAt(8), inventedAt(20)), forwardLink(inventedAt(20), inventedAt(24))];
      return writeAnswer(call.name, { complete: true, from: inventedAt(8).id, to: inventedAt(24).id, steps });
    }
    const right = forwardLink(at(0), at(4));
    const [to, link] = isFirst ? [inventedAt(8).id, withLongCandidate(right)] : [at(4).id, right];
    isFirst = false;
    return writeAnswer(call.name, { complete: false, from, to, steps: [link] });
  };
  return { target: inventedAt(24).id, answer };
}

test("links after an answer count only if they begin where its verified repetition ends", async () => {
  const { target, answer } = changedAnswers();
  // As the pool does, the query is repeated after an error.
  const ask: AskForProof = async ({ query, check }) => {
    const send = async () => check(query.read(answer(query.bytes)), signal);
    return send().catch(send);
  };
  const progress: BlockId[] = [];
  const following = follow(ask, at(0).id, { target, signal, onProgress: ({ block }) => progress.push(block) });
  await expect(following).rejects.toThrow("the first block of a proof must be");
  expect(progress).toEqual([at(4).id]);
});

test.each<[string, (answer: Answer) => Answer, string]>([
  [
    "a complete proof without links",
    (answer) => ({ ...answer, to: answer.from, steps: [] }),
    "ends at (-1,8000000000000000,8)",
  ],
  ["links back", () => proofUnfinished(backLink(at(8), at(4))), "but ends at (-1,8000000000000000,4)"],
  ["a complete proof of another block", () => proofWith(forwardLink(at(8), at(12))), "but ends at (-1,8000000000000000,12)"],
  ["links of another block", () => proofWith(forwardLink(at(4), at(8))), "the first block of a proof must be"],
])("a server with %s is refused", async (_, change, message) => {
  const dishonest = server(16, change);
  const following = followBlockProof(dishonest, at(8).id, { target: at(14).id, signal });
  await expect(following).rejects.toThrow(
    expect.objectContaining({ kind: "proof", message: expect.stringContaining(message) }),
  );
  expect(dishonest.query).toHaveBeenCalledTimes(1);
});

test("former validators cannot sign the links of a next answer", async () => {
  const fork = signedChain(20, {
    0: configOfFour(1),
    4: configOfFour(3),
    8: configOfFour(5),
    12: configOfFour(7),
    17: configOfFour(101),
  });
  const last = fork[17] as SignedBlock;
  const answers = [
    { ...proofWith(forwardLink(at(8), at(12)), forwardLink(at(12), at(16)), backLink(at(16), at(12))), complete: false },
    proofWith(forwardLink(fork[12] as SignedBlock, last)),
  ];
  const ask: AskForProof = async ({ check }) => check(answers.shift() ?? expect.unreachable(), signal);
  await expect(follow(ask, at(8).id, { target: last.id, signal })).rejects.toThrow("must lead to (-1,8000000000000000,17)");
});

test("a server without links is unavailable, not wrong", async () => {
  const silent = server(2, (answer) =>
    answer.from.seqno < 8 ? answer : { ...answer, complete: false, to: answer.from, steps: [] },
  );
  const following = followBlockProof(silent, at(0).id, { target: at(14).id, signal });
  await expect(following).rejects.toThrow(
    expect.objectContaining({
      kind: "unavailable",
      message: expect.stringContaining("gives no links from (-1,8000000000000000,8)"),
    }),
  );
});

test("a server cannot lead past an earlier target", async () => {
  const dishonest = server(16, () => proofUnfinished(forwardLink(at(8), at(12))));
  const following = followBlockProof(dishonest, at(8).id, { target: at(2).id, signal });
  await expect(following).rejects.toThrow("must lead to (-1,8000000000000000,2)");
});

test("the newest block of a server may be the trusted one", async () => {
  const honest = server(16);
  expect(await followBlockProof(honest, at(24).id, { signal })).toEqual({ block: at(24).id, signatures: 0 });
});

function proofUnfinished(step: Answer["steps"][number]): Answer {
  return { ...proofWith(step), complete: false };
}
