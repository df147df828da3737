/** False answers of faulty servers: each is valid TL, and differs from the right answer as documented. */

import { readBlockHeader } from "@chain-query/format/blocks";
import { CellError, hex, openMerkleProof, PrunedCellError, readBoc, readBocRoots } from "@chain-query/format/cells";
import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import { lookUpAccount, lookUpShard, readStateShards } from "@chain-query/format/states";
import { describe, expect, test } from "vitest";
import type { LiteBehaviour } from "../../src/answers/behaviour.ts";
import { liteChain } from "../../src/answers/signing-chain.ts";
import {
  cyclicBoc,
  deepBoc,
  flipBit,
  forgeBoc,
  hiddenAccount,
  historyGap,
  nextBlock,
  otherAccount,
  otherBlock,
  previousBlock,
  shortHistory,
  truncateBoc,
} from "../../src/faults/false-answers.ts";
import { startFaultyLiteServer } from "../../src/faults/faulty-server.ts";
import { connect } from "../../src/wire/adnl/connect.ts";
import { type LiteQuery, queries } from "../../src/wire/tl/queries.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import { existing, serveChain } from "../served-chain.ts";

const served = await serveChain(12);
const head = served.chain.head().block.id;
/** Two accounts of the basechain that were often used. */
const [account, other] = served.accounts.filter(
  (one) => one.workchain === 0 && history(one).length > 3 && served.chain.account(one)?.code,
) as [AccountId, AccountId];

function history(of: AccountId): string[] {
  return Array.from(served.chain.transactions(of), ({ id }) => hex(id.hash));
}

async function ask<Answer>(query: LiteQuery<Answer>, ...behaviours: readonly LiteBehaviour[]): Promise<Answer> {
  const chain = liteChain(served.chain);
  const server = await startFaultyLiteServer({ chain, key: new Uint8Array(32).fill(9), behaviours });
  const connection = await connect(server);
  try {
    return query.read(await connection.query(query.bytes, AbortSignal.timeout(5000)));
  } finally {
    connection.close();
    await server.close();
  }
}

function askAccount(...behaviours: readonly LiteBehaviour[]): Promise<LiteAnswer<"getAccountState">> {
  return ask(queries.getAccountState({ id: head, account }), ...behaviours);
}

/** Reads an account like a client. */
function verify(answer: LiteAnswer<"getAccountState">): string {
  const open = (id: BlockId, [header, state]: ReturnType<typeof readBocRoots>) => {
    const { newHash } = readBlockHeader(openMerkleProof(existing(header), id.rootHash)).readStateHashes();
    return openMerkleProof(existing(state), newHash);
  };
  const shard = { workchain: 0, shard: BigInt.asIntN(64, Buffer.from(account.hash).readBigUInt64BE() | 8n) };
  const top = lookUpShard(readStateShards(open(head, readBocRoots(answer.shardProof))), shard);
  if (top?.block.seqno !== answer.shardblk.seqno) throw new CellError("another block of the shard");
  const entry = lookUpAccount(open(answer.shardblk, readBocRoots(answer.proof)), account.hash);
  const found = answer.state.length > 0 ? hex(readBoc(answer.state).hash) : "";
  if (hex(entry?.account.hashAt(0)) !== found) throw new CellError("another state");
  return found;
}

describe("an account", () => {
  test("is verified if the server is honest", async () => {
    expect(verify(await askAccount())).toHaveLength(64);
  });

  test.each(["shardProof", "proof", "state"] as const)("has a damaged or forged %s", async (field) => {
    for (const behaviour of [flipBit, forgeBoc, truncateBoc, deepBoc, cyclicBoc]) {
      const answer = await askAccount(behaviour("getAccountState", field));
      expect(() => verify(answer)).toThrow(CellError);
    }
  });

  test("is of another account, or as of another block", async () => {
    const swapped = await askAccount(otherAccount(other));
    expect(swapped.id).toEqual(head);
    expect(() => verify(swapped)).toThrow(CellError);
    const { id } = existing(served.chain.block(head, { seqno: head.seqno - 5 }));
    const old = await askAccount(otherBlock(id));
    expect(old.id).toEqual(head);
    expect(() => verify(old)).toThrow(CellError);
  });

  test("is hidden behind a pruned branch", async () => {
    const answer = await askAccount(hiddenAccount());
    expect(answer.state.length).toBe(0);
    expect(() => verify(answer)).toThrow(PrunedCellError);
  });
});

describe("history", () => {
  const read = async (...behaviours: readonly LiteBehaviour[]) => {
    const { last } = existing(served.chain.account(account));
    const { ids, transactions } = await ask(queries.getTransactions({ count: 16, account, ...last }), ...behaviours);
    const hashes = readBocRoots(transactions).map(({ hash }) => hex(hash));
    expect(ids.length).toBe(hashes.length);
    return hashes;
  };

  test("ends early", async () => {
    expect(await read(shortHistory(2))).toEqual(history(account).slice(0, 2));
  });

  test("has a gap", async () => {
    const [first, , ...others] = history(account).slice(0, 16);
    expect(await read(historyGap())).toEqual([first, ...others]);
  });
});

test.each(["lookupBlock", "lookupBlockWithProof"] as const)(
  "%s gives the block after or before the right one",
  async (name) => {
    const { id, endLt } = existing(served.chain.block(head, { seqno: 5 }));
    const args = { mode: 2, id: { ...id, seqno: 0 }, mcBlockId: head, lt: endLt };
    const query = name === "lookupBlock" ? queries.lookupBlock(args) : queries.lookupBlockWithProof(args);
    const seqnos: number[] = [];
    for (const behaviour of [nextBlock, previousBlock]) {
      seqnos.push((await ask<{ readonly id: BlockId }>(query, behaviour(name))).id.seqno);
    }
    expect(seqnos).toEqual([6, 4]);
  },
);
