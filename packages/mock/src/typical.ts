import { type Account, accountIn, friendlyForm, rawForm } from "./address.ts";
import { documented, successes } from "./documented.ts";
import { type Answer, failure } from "./exchange.ts";
import { pageOf } from "./history.ts";
import type { Members } from "./members.ts";

interface Message {
  source: string;
  destination: string;
  created_lt: string;
}

interface Located {
  address: object;
  transaction_id: { lt: string };
  in_msg?: Message;
  out_msgs: Message[];
}

const latest = 2n ** 63n - 1n;

/** By operation, the result of an example with what the contract lets the request decide put in. */
const repetitions: Record<string, (result: never, members: Members) => object> = {
  lookupBlock: (result: object, { workchain, shard, seqno }) => ({
    ...result,
    workchain: Number(workchain),
    shard,
    ...(seqno === undefined ? {} : { seqno: Number(seqno) }),
  }),
  getAddressInformation: (result: { block_id: object }, { seqno }) => ({
    ...result,
    block_id: { ...result.block_id, ...(seqno === undefined ? {} : { seqno: Number(seqno) }) },
  }),
  getTransactionsStd: (result: object, members) => pageOf(result, account(members["address"]), members),
  tryLocateResultTx: (result: Located, members) => {
    const { in_msg, transaction_id } = result;
    const created = BigInt(members["created_lt"] ?? 0);
    const delay = BigInt(transaction_id.lt) - BigInt(in_msg?.created_lt ?? 0);
    const moved = at(result, account(members["destination"]), created + delay < latest ? created + delay : latest);
    return in_msg === undefined ? moved : { ...moved, in_msg: { ...in_msg, ...endsOf(members) } };
  },
  tryLocateSourceTx: (result: Located, members) => {
    const source = account(members["source"]);
    const moved = at(result, source, BigInt(members["created_lt"] ?? 0) - 1n);
    const [sent, ...others] = moved.out_msgs;
    const in_msg = moved.in_msg === undefined ? {} : { in_msg: { ...moved.in_msg, destination: friendlyForm(source) } };
    return { ...moved, ...in_msg, out_msgs: [{ ...sent, ...endsOf(members) }, ...others] };
  },
};

/** Requests that no deployment can answer with a success, whatever its data. */
const impossible: Record<string, (members: Members) => Answer | undefined> = {
  tryLocateSourceTx: ({ source, created_lt = "0" }) => {
    if (source === "") return answerOf("tryLocateSourceTx", "external-message");
    // created_lt is the transaction's lt + 1 + i, and no transaction has lt 0.
    return BigInt(created_lt) < 2n
      ? failure(404, "transaction was not found: the source account sent no such message")
      : undefined;
  },
};

/**
 * The operation's typical answer to a request that makes sense: the example of a request with the same members, or else its first
 * one, with the parts of the request put in that the contract lets the answer repeat.
 */
export function typicalAnswer(operationId: string, members: Members): Answer {
  const certain = impossible[operationId]?.(members);
  if (certain !== undefined) return certain;
  const all = successes(operationId);
  const example = all.find((one) => sameNames(one.members, members)) ?? all[0];
  if (example === undefined) throw new Error(`the contract has no example of ${operationId}`);
  const { status, body } = example.response;
  const repeat = repetitions[operationId];
  return {
    status,
    headers: {},
    body: repeat === undefined ? body : { ...body, result: repeat(body.result as never, members) },
  };
}

function sameNames(one: Members, other: Members): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other);
}

/** A located transaction as one of another account at another time. */
function at({ out_msgs, ...result }: Located, owner: Account, lt: bigint): Located & { account: string } {
  const source = friendlyForm(owner);
  return {
    ...result,
    address: { ...result.address, account_address: source },
    account: rawForm(owner),
    transaction_id: { ...result.transaction_id, lt: String(lt) },
    out_msgs: out_msgs.map((message, index) => ({ ...message, source, created_lt: String(lt + 1n + BigInt(index)) })),
  };
}

function endsOf({ source, destination, created_lt = "0" }: Members): Message {
  return { source: friendlyForm(account(source)), destination: friendlyForm(account(destination)), created_lt };
}

/** The members have been found to make sense before. */
function account(text = ""): Account {
  const found = accountIn(text);
  if (typeof found === "string") throw new Error(`${text}: ${found}`);
  return found;
}

function answerOf(operationId: string, condition: string): Answer {
  const found = documented.find((one) => one.operationId === operationId && one.condition === condition);
  if (found === undefined) throw new Error(`the contract has no example ${operationId}.${condition}`);
  return { ...found.response, headers: {} };
}
