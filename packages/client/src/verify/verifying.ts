import { isEqual } from "@chain-query/format/cells";
import type { AccountId, TransactionId } from "@chain-query/format/identifiers";
import { parseAddress, parseHash } from "@chain-query/openapi/address";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { QueryPromise, WithResponse } from "../calls/query-promise.ts";
import type { ReadPage, TransactionIterator, TransactionsInput } from "../calls/transactions.ts";
import type { ChainClient } from "../client.ts";
import type { InputOf } from "../operations/input.ts";
import type { CallOptions } from "../options.ts";
import { type Answer, ask, isCallError } from "./ask.ts";
import { type Roots, requireEqual, rootsOf } from "./bags.ts";
import { type Derive, derive, type ProvedOperation } from "./derive.ts";
import { checked, ensure, ProofError } from "./proof-error.ts";
import { deriveLast } from "./states.ts";
import { derivePage, pageStarts } from "./transactions.ts";
import type { Trust } from "./trust.ts";
import type { TrustStore } from "./trust-options.ts";

/**
 * The methods of a client that verify their results, with the same inputs, options and result types: one for each operation, and the walk
 * over a history.
 *
 * @example
 * ```ts
 * const balanceOf = async (chain: VerifyingClient, address: string) => (await chain.getAddressInformation({ address })).balance;
 * ```
 */
export type VerifyingClient = Pick<ChainClient, OperationId | "transactions">;

/** Asks, and puts the result that the cells have in the place of the answered one. */
type Start<Id extends OperationId> = (
  input: InputOf<Id> | undefined,
  options: CallOptions | undefined,
) => Promise<WithResponse<ResultOf<Id>>>;

/** Operations whose methods take only options. */
const WITHOUT_INPUT: readonly string[] = ["getConsensusBlock", "getMasterchainInfo", "getOutMsgQueueSize"];

/**
 * Creates a client whose methods ask for proofs, derive each result from its proof, and return it only if the answer says the same. They
 * reject with a `ProofError` otherwise, and with the errors of `client`; `safe` rejects with a `ProofError`, too. It holds nothing open. The
 * `response` of `withResponse` is the one of the deployment, and its body is not verified.
 *
 * - `getTransactionsStd` begins at the newest transaction, or at one of an earlier page of this client. A page is whole: up to its limit,
 *   `toLt` or the first transaction. `transactions` walks over such pages.
 * - `getOutMsgQueueSize`: `ext_msg_queue_size_limit` is a constant of the contract, which no cell has.
 * - A failure, such as a 404, has no proof.
 *
 * @example
 * ```ts
 * const chain = verifying(client, { trust });
 * const { balance } = await chain.getAddressInformation({ address });
 * ```
 */
export function verifying(client: ChainClient, options: { readonly trust: TrustStore }): VerifyingClient {
  const trust = options.trust as Trust;
  const type = `${trust.network.name}.blockIdExt` as const;
  const starts = pageStarts();

  /** Calls an operation, and gives the verified head that its answer is as of. */
  async function askAtHead<Id extends OperationId>(
    operation: Id,
    input: object | undefined,
    callOptions: CallOptions | undefined,
    isRepeated = false,
  ): Promise<{ readonly answer: Answer<Id>; readonly head: ProvedStateBlock; readonly roots: Roots }> {
    const before = trust.newest();
    const key = trust.keyBlock;
    const headers = before
      ? { prefer: trust.isRecent(before) ? `proof; head=${before.id.seqno}` : "proof", "chain-min-head": `${before.id.seqno}` }
      : { prefer: "proof" };
    const answer = await ask(client, operation, input, headers, callOptions);
    const { proof } = answer.envelope;
    ensure(proof, "missing", "no proof");
    try {
      const head = await trust.accept(proof.head, before, client, callOptions);
      return { answer, head, roots: checked("state", () => rootsOf(proof.cells)) };
    } catch (error) {
      // Another call may have moved the trust to a newer key block meanwhile.
      if (isRepeated || trust.keyBlock === key || !(error instanceof ProofError && error.part === "head")) throw error;
      return askAtHead(operation, input, callOptions, true);
    }
  }

  function verified<Id extends OperationId>(answer: Answer<Id>, result: ResultOf<Id>): WithResponse<ResultOf<Id>> {
    checked("answer", () => requireEqual(result, answer.result));
    return { ...answer, result, envelope: { ...answer.envelope, result } };
  }

  const startAtHead =
    <Id extends ProvedOperation>(operation: Id): Start<Id> =>
    async (input, callOptions) => {
      const { answer, head, roots } = await askAtHead(operation, input, callOptions);
      const known = { head, zeroState: trust.zeroState, type };
      const deriveResult: Derive<Id> = derive[operation];
      const result = checked("state", () => deriveResult(known, input as InputOf<Id>, answer.result, roots));
      roots.end();
      return verified(answer, result);
    };

  const startPage: Start<"getTransactionsStd"> = async (input, callOptions) => {
    const { address, lt, hash, limit = 10, toLt = 0 } = input as InputOf<"getTransactionsStd">;
    let answer: Answer<"getTransactionsStd">;
    let start: TransactionId | undefined;
    const account = (): AccountId => parseAddress(address);
    if (lt === undefined) {
      const asked = await askAtHead("getTransactionsStd", input, callOptions);
      answer = asked.answer;
      start = checked("state", () => deriveLast(asked.head, account(), asked.roots));
      asked.roots.end();
    } else {
      trust.newest();
      answer = await ask(client, "getTransactionsStd", input, {}, callOptions);
      start = starts.find(account(), BigInt(lt));
      ensure(start && isEqual(parseHash(String(hash)), start.hash), "missing", `lt ${lt} is not of an earlier page`);
    }
    const question = { account: account(), start, limit: Number(limit), aboveLt: BigInt(toLt) };
    const { result, proved } = checked("transaction", () => derivePage(question, answer.result));
    for (const id of proved) starts.keep(question.account, id);
    return verified(answer, result);
  };

  function methodOf<Id extends OperationId>(start: Start<Id>, takesInput: boolean) {
    return (input: InputOf<Id> | undefined, given?: CallOptions): QueryPromise<ResultOf<Id>> => {
      // A copy: the app may write its next question into the same object.
      const started = takesInput ? start(input && { ...input }, given) : start(undefined, input as CallOptions | undefined);
      let whole: WithResponse<ResultOf<Id>>;
      const query = started.then((answer) => {
        whole = answer;
        return answer.result;
      });
      return Object.assign(query, {
        withResponse: () => query.then(() => whole),
        safe: () =>
          query.then(
            (result) => ({ ok: true, result }) as const,
            (error: unknown) => {
              if (isCallError(error)) return { ok: false, error } as const;
              throw error;
            },
          ),
      });
    };
  }

  const readPage = methodOf(startPage, true);
  const methods: Record<string, unknown> = {
    getTransactionsStd: readPage,
    transactions: (input: TransactionsInput, callOptions?: CallOptions): TransactionIterator => {
      async function* pages() {
        // Loaded by apps that walk, most of which have it in the main entry.
        const { iterateTransactions } = await import("../calls/transactions.ts");
        yield* iterateTransactions(readPage as ReadPage, input, callOptions).pages();
      }
      return {
        pages,
        async *[Symbol.asyncIterator]() {
          for await (const { items } of pages()) yield* items;
        },
      };
    },
  };
  for (const id of Object.keys(derive) as ProvedOperation[])
    methods[id] = methodOf(startAtHead(id), !WITHOUT_INPUT.includes(id));
  return methods as VerifyingClient;
}
