/** Services whose responses match their schemas but not the request. */
import { historyOf, rawOf, transactions } from "../chain.ts";
import { conformingService, HttpError, page } from "../conforming.ts";
import {
  account,
  attempt,
  blockOf,
  type Fault,
  type Input,
  idIn,
  listIn,
  lookup,
  std,
  wrongHandler,
  wrongReply,
  wrongResult,
} from "./fault.ts";

const options = { profile: "examples" } as const;
/** A service with wrong results, which the documented requests show. */
const wrong = (...[operation, caughtBy, mistake, change]: Parameters<typeof wrongResult>): Fault =>
  wrongResult(operation, caughtBy, mistake, change, options);

function accepting(operation: string, condition: string, instead: () => unknown): Fault {
  const mistake = `responds with 200 to ${operation} where ${condition} is documented`;
  const handler = (input: Input, right: (input: Input) => unknown): unknown => attempt(() => right(input)) ?? instead();
  return wrongHandler(operation, `examples/${operation}/${condition}`, mistake, handler, options);
}

export const requestFaults: readonly Fault[] = [
  accepting(lookup, "past-head", () => blockOf(0, 840)),
  accepting("tryLocateResultTx", "not-found", () => transactions.find(({ in_msg }) => in_msg !== undefined)),
  accepting("tryLocateSourceTx", "external-message", () => transactions[0]),
  wrong(account, "examples/getAddressInformation/active", "does not know a documented account", () => {
    throw new HttpError(404, "there is no such account");
  }),
  wrongReply(
    "getConsensusBlock",
    "examples/getConsensusBlock/current",
    "responds with 503 to getConsensusBlock",
    (reply) => ({ ...reply, status: 503, body: { ok: false, error: "busy", code: 503 } }),
    options,
  ),
  wrongResult(lookup, "responses/requested-block", "finds block 1 for every seqno", () => ({ seqno: 1 }), options),
  wrong(lookup, "responses/requested-block", "finds blocks of the masterchain only", () => ({ workchain: -1 })),
  wrong(
    "tryLocateResultTx",
    "responses/requested-message",
    "locates a transaction that consumed another message",
    (result) => ({ in_msg: { ...idIn(result, "in_msg"), created_lt: "7" } }),
  ),
  wrong("tryLocateSourceTx", "responses/requested-message", "locates a transaction that sent other messages", () => ({
    out_msgs: [],
  })),
  wrong(std, "responses/limit", "ignores limit in the documented requests", (_, input) => page({ ...input, limit: 10 })),
  wrong(
    std,
    "responses/requested-account",
    "answers transactions with the address of another account",
    (result, { address }) => ({
      transactions: listIn(result).map((one) => ({
        ...one,
        address: { ...idIn(one, "address"), account_address: elsewhere(address) },
      })),
    }),
  ),
  wrong(std, "responses/page-start", "begins every page with the newest transaction", (_, { lt: __, hash: ___, ...input }) =>
    page(input),
  ),
  wrong(std, "responses/page-start", "begins a page after the transaction that its cursor names", (result, { lt, address }) => {
    const history = historyOf(rawOf(String(address)));
    const at = history.findIndex(({ transaction_id }) => transaction_id.lt === lt);
    const next = history[at + 1]?.transaction_id;
    return at < 0 || next === undefined ? result : page({ address, lt: next.lt, hash: next.hash });
  }),
  wrongResult(std, "live/end-of-history", "points the cursor at the end of a history back into it", (result) => {
    const last = listIn(result).at(-1);
    const isEnd = idIn(result, "previous_transaction_id")["lt"] === "0" && last !== undefined;
    return isEnd ? { previous_transaction_id: idIn(last, "transaction_id") } : result;
  }),
];

function elsewhere(address: unknown): string {
  const other = transactions.find(({ account }) => account !== rawOf(String(address)));
  return other?.address.account_address ?? "";
}

const limits = { checkLimits: true, apiKey: "a-key-of-this-service" } as const;

export const limitFaults: readonly Fault[] = [
  {
    mistake: "does not limit requests without a key",
    caughtBy: "limits/keyless",
    operation: "getMasterchainInfo",
    options: limits,
    make: () => conformingService(),
  },
  wrongReply(
    "getMasterchainInfo",
    "limits/unknown-key",
    "accepts unknown keys",
    (reply) =>
      reply.status === 401
        ? { ...reply, status: 200, body: { ok: true, result: conformingService().handlers["getMasterchainInfo"]?.({}) } }
        : reply,
    limits,
  ),
];
