/** Services with wrong blocks and wrong account states. */
import { historyOf, last, rawOf, shards, stepAt, timeOf } from "../chain.ts";
import { accountState, HttpError, lookupBlock } from "../conforming.ts";
import {
  account,
  attempt,
  blockOf,
  type Fault,
  type Input,
  idIn,
  lookup,
  queues,
  queuesIn,
  reversed,
  wrongHandler,
  wrongResult,
} from "./fault.ts";

export const accountFaults: readonly Fault[] = [
  wrongResult(account, "responses/amount", "answers a balance as a number", (result) => ({
    balance: Number(result["balance"]),
  })),
  wrongResult(account, "live/account-as-of-block", "ignores the seqno of an account's request", (_, { address }) =>
    accountState(rawOf(String(address))),
  ),
  wrongResult(
    account,
    "live/account-as-of-block",
    "names the requested block and answers the account as of the head",
    (result, { address }) => ({
      last_transaction_id: historyOf(rawOf(String(address)))[0]?.transaction_id ?? result["last_transaction_id"],
    }),
  ),
  wrongHandler(account, "live/account-in-the-future", "answers as of the head if the seqno is past it", ({ address, seqno }) =>
    accountState(rawOf(String(address)), seqno === undefined ? undefined : Math.min(last.seqno, Number(seqno))),
  ),
  wrongResult(account, "live/account-never-seen", "invents a last transaction of an account that never had one", (result) => {
    const id = idIn(result, "last_transaction_id");
    return id["lt"] === "0" ? { last_transaction_id: { ...id, hash: last.root_hash } } : result;
  }),
  wrongResult(account, "live/account-block", "names the shard's block in an account's state", () => ({
    block_id: blockOf(1, last.seqno),
  })),
  wrongResult(account, "live/account-cells", "answers code that is not a bag of cells", () => ({
    code: Buffer.from("code").toString("base64"),
  })),
  wrongResult(account, "live/frozen-hash", "answers a frozen hash of an active account", () => ({
    frozen_hash: last.root_hash,
  })),
  wrongResult(account, "live/address-forms", "accepts the user-friendly form in one alphabet only", (result, { address }) => {
    if (/[+/]/.test(String(address))) throw new HttpError(422, "failed to parse address");
    return result;
  }),
];

/** Whether no block contains the lt: in the fake chain every block begins at a multiple of a million. */
function isInGap({ lt }: Input): boolean {
  return lt !== undefined && BigInt(String(lt)) % 1_000_000n === 999_999n;
}

function isOfBasechain({ workchain }: Input): boolean {
  return Number(workchain) === 0;
}

/** Number of requests so far, for services that alternate between two responses. */
let round = 0;

export const blockFaults: readonly Fault[] = [
  wrongResult(lookup, "live/block-by-seqno", "finds the block after the one with the seqno", (result, { seqno }) =>
    seqno === undefined ? result : blockOf(0, Math.min(last.seqno, Number(seqno) + 1)),
  ),
  wrongResult(lookup, "live/block-by-lt", "finds a block by lt that does not contain it", (result, input) =>
    input["lt"] === undefined
      ? result
      : lookupBlock({ ...input, lt: undefined, seqno: Math.max(100, Number(result["seqno"]) - 1) }),
  ),
  wrongResult(lookup, "live/block-by-lt-in-gap", "finds the earlier block by an lt between two blocks", (result, input) =>
    isInGap(input) ? lookupBlock({ ...input, lt: undefined, seqno: Number(result["seqno"]) - 1 }) : result,
  ),
  wrongResult(lookup, "live/block-by-lt-in-gap", "finds no block by an lt between two blocks", (result, input) => {
    if (isInGap(input)) throw new HttpError(404, "block was not found: no block contains the lt");
    return result;
  }),
  wrongResult(
    lookup,
    "live/block-by-lt",
    "finds a block by lt in a shard that does not hold the account",
    (result, { workchain, lt }) => {
      const shard = shards.findIndex((one) => one.workchain === 0 && one.shard !== result["shard"]);
      return lt === undefined || Number(workchain) === -1 ? result : blockOf(shard, Number(result["seqno"]) - 20);
    },
  ),
  wrongResult(
    lookup,
    "live/block-by-time",
    "finds the first block after a time instead of at or after it",
    (result, { workchain, unixtime }) =>
      unixtime === undefined || Number(workchain) !== -1
        ? result
        : blockOf(0, Math.min(last.seqno, stepAt(Number(unixtime) + 1))),
  ),
  wrongResult(lookup, "live/block-by-time", "finds the last block before a time", (result, { workchain, unixtime }) =>
    unixtime === undefined || Number(workchain) !== -1 || timeOf(Number(result["seqno"])) === unixtime
      ? result
      : blockOf(0, Number(result["seqno"]) - 1),
  ),
  wrongHandler(
    lookup,
    "live/block-past-head",
    "answers the head to a request past it",
    (input, right) => attempt(() => right(input)) ?? last,
  ),
  wrongResult(lookup, "responses/shard", "answers a shard as a number", (result) => ({
    shard: Number(result["shard"]),
  })),
  wrongResult("getMasterchainInfo", "live/head-never-decreases", "lets the head go back", () => ({
    last: blockOf(0, last.seqno - (round++ % 2)),
  })),
  wrongResult("getMasterchainInfo", "live/head-is-masterchain", "names the first block as init", () => ({
    init: blockOf(0, 1),
  })),
  wrongResult("getConsensusBlock", "live/consensus-never-decreases", "lets the consensus block go back", () => ({
    consensus_block: last.seqno - (round++ % 3),
  })),
  wrongResult("getConsensusBlock", "live/consensus-not-past-head", "names a consensus block past the head", () => ({
    consensus_block: last.seqno + 1,
  })),
  wrongResult("getConsensusBlock", "responses/time", "answers the consensus time with a fraction", (result) => ({
    timestamp: Number(result["timestamp"]) + 0.5,
  })),
  wrongResult(queues, "live/queues-masterchain-first", "lists the masterchain's queue last", (result) => ({
    shards: [...queuesIn(result)].reverse(),
  })),
  wrongResult(queues, "live/queues-of-every-shard", "forgets the queue of a shard", (result) => ({
    shards: queuesIn(result).slice(0, -1),
  })),
  wrongResult(
    queues,
    "live/queues-of-every-shard",
    "lists the halves of a shard beside it, in place of its sibling",
    (result) => {
      const [first, left] = queuesIn(result);
      const halves = ["2305843009213693952", "6917529027641081856"];
      return {
        ...result,
        shards: [first, left, ...halves.map((shard) => ({ ...left, id: { ...idIn(left, "id"), shard } }))],
      };
    },
  ),
  wrongResult(lookup, "live/block-by-prefix", "looks up the first shard for a whole workchain", (result, input) =>
    isOfBasechain(input) && input["shard"] === shards[0]?.shard ? blockOf(1, Number(result["seqno"])) : result,
  ),
  wrongResult(lookup, "live/block-by-prefix", "knows only the shards of its chain", (result, { workchain, shard }) => {
    const isKnown = shards.some((one) => one.workchain === Number(workchain) && one.shard === String(shard));
    if (!isKnown) throw new HttpError(404, "block was not found: there is no such shard");
    return result;
  }),
  wrongResult(queues, "live/queue-blocks", "names other blocks in the queues than lookupBlock finds", (result) => ({
    shards: queuesIn(result).map((queue) => ({
      ...queue,
      id: { ...idIn(queue, "id"), root_hash: reversed(idIn(queue, "id")["root_hash"]) },
    })),
  })),
];
