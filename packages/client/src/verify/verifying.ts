import { hex } from "@chain-query/format/cells";
import type { AccountId, TransactionId } from "@chain-query/format/identifiers";
import { parseHash } from "@chain-query/openapi/address";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { QueryPromise, WithResponse } from "../calls/query-promise.ts";
import type { ChainClient } from "../client.ts";
import type { InputOf } from "../operations/input.ts";
import type { CallError } from "../errors.ts";
import type { CallOptions } from "../options.ts";
import { type Answer, ask } from "./ask.ts";
import { accountOf, derive, type ProvedOperation } from "./derive.ts";
import { checked, ensure, ProofError } from "./proof-error.ts";
import { deriveLast } from "./states.ts";
import { derivePage } from "./transactions.ts";
import type { Trust, TrustStore } from "./trust-store.ts";
import { objectOf, requireEqual, rootsOf, type Untrusted } from "./untrusted.ts";

/**
 * The methods of a client that verify their results: one for each operation, with the same inputs, options and result types.
 *
 * @example
 * ```ts
 * const balanceOf = async (chain: VerifyingClient, address: string) => (await chain.getAddressInformation({ address })).balance;
 * ```
 */
export type VerifyingClient = { readonly [Id in OperationId]: ChainClient[Id] };

/** Asks, and puts the result that the cells have in the place of the answered one. */
type Start<Id extends OperationId> = (input: InputOf<Id>, options: CallOptions | undefined) => Promise<WithResponse<ResultOf<Id>>>;

/** Transactions that are kept as starts of later pages. */
const MAX_STARTS = 10_000;

/**
 * Creates a client whose methods ask for proofs, derive each result from its proof, and return it only if the answer says the same. They
 * reject with a `ProofError` otherwise, and with the errors of `client`; `safe` rejects with a `ProofError`, too. It holds nothing open.
 *
 * - `getTransactionsStd` begins at the newest transaction, or at one of an earlier page or account of this client. A page is whole: up to
 *   its limit, `toLt` or the first transaction.
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
  /** Hashes of proved transactions by account and lt. */
  const starts = new Map<string, string>();

  function keepStart(account: AccountId, { lt, hash }: TransactionId): void {
    if (lt === 0n) return;
    starts.set(startKey(account, lt), hex(hash));
    const [oldest] = starts.keys();
    if (starts.size > MAX_STARTS && oldest !== undefined) starts.delete(oldest);
  }

  /** Calls an operation, and gives the verified head that its answer is as of. */
  async function askAtHead<Id extends OperationId>(
    operation: Id,
    input: InputOf<Id>,
    callOptions: CallOptions | undefined,
    isRepeated = false,
  ): Promise<{ readonly answer: Answer<Id>; readonly head: ProvedStateBlock; readonly proof: Untrusted }> {
    const known = trust.current();
    const key = trust.keyBlock.seqno;
    const least = trust.head?.seqno ?? 0;
    const prefer = known ? `proof; head=${known.id.seqno}` : "proof";
    const hasInput = Object.keys(input).length > 0;
    const answer = await ask(client, operation, hasInput ? input : undefined, { prefer, least }, callOptions);
    const { proof } = answer;
    ensure(proof !== undefined, "missing", "the deployment gave no proof");
    if (proof["head"] === undefined) {
      ensure(known !== undefined, "missing", "the proof has no head", "proof.head");
      trust.requireAge(known);
      return { answer, head: known, proof };
    }
    try {
      return { answer, head: await trust.accept(proof["head"], least, client, callOptions), proof };
    } catch (error) {
      // Another call may have moved the trust to a newer key block meanwhile.
      const isOvertaken = error instanceof ProofError && error.part === "head" && trust.keyBlock.seqno > key;
      if (!isOvertaken || isRepeated) throw error;
      return askAtHead(operation, input, callOptions, true);
    }
  }

  const startAtHead =
    <Id extends ProvedOperation>(operation: Id): Start<Id> =>
    async (input, callOptions) => {
      const { answer, head, proof } = await askAtHead(operation, input, callOptions);
      const answered = objectOf(answer.result, "result");
      const result = checked("state", () => {
        const roots = rootsOf(proof["cells"]);
        const derived = derive[operation](
          { head, zeroState: trust.zeroState, type },
          input as InputOf<ProvedOperation> & never,
          answered,
          roots,
        );
        roots.end();
        return derived as ResultOf<Id>;
      });
      requireEqual(result, answered);
      return { ...answer, result, envelope: { ...answer.envelope, result } };
    };

  const startPage: Start<"getTransactionsStd"> = async (input, callOptions) => {
    const { address, lt, hash, limit = 10, toLt = 0 } = input;
    const account = accountOf(address);
    let answer: Answer<"getTransactionsStd">;
    let start: TransactionId;
    if (lt === undefined) {
      const asked = await askAtHead("getTransactionsStd", input, callOptions);
      answer = asked.answer;
      start = checked("state", () => {
        const roots = rootsOf(asked.proof["cells"]);
        const last = deriveLast(asked.head, account, roots);
        roots.end();
        return last;
      });
    } else {
      start = { lt: BigInt(lt), hash: parseHash(hash) };
      const isProved = starts.get(startKey(account, start.lt)) === hex(start.hash);
      ensure(isProved, "missing", `lt ${lt} is not a start that an earlier page of this client has`, "lt");
      answer = await ask(client, "getTransactionsStd", input, {}, callOptions);
    }
    const answered = objectOf(answer.result, "result");
    const question = { account, start, limit: Number(limit), aboveLt: BigInt(toLt) };
    const { result, proved } = checked("transaction", () => derivePage(question, answered));
    requireEqual(result, answered);
    for (const id of proved) keepStart(account, id);
    return { ...answer, result, envelope: { ...answer.envelope, result } };
  };

  function methodOf<Id extends OperationId>(start: Start<Id>, takesInput: boolean) {
    return (input: InputOf<Id> | undefined, given?: CallOptions): QueryPromise<ResultOf<Id>> => {
      const [own, callOptions] = takesInput ? [input, given] : [{}, input as CallOptions | undefined];
      const answer = start((own ?? {}) as InputOf<Id>, callOptions);
      return Object.assign(
        answer.then(({ result }) => result),
        {
          withResponse: () => answer,
          safe: () =>
            answer.then(
              ({ result }) => ({ ok: true, result }) as const,
              (error: unknown) => {
                if (error instanceof ProofError) throw error;
                return { ok: false, error: error as CallError } as const;
              },
            ),
        },
      );
    };
  }

  const withInput = <Id extends ProvedOperation>(id: Id) => methodOf(startAtHead(id), true);
  const withoutInput = <Id extends ProvedOperation>(id: Id) => methodOf(startAtHead(id), false);
  const methods = {
    getAddressInformation: withInput("getAddressInformation"),
    getConsensusBlock: withoutInput("getConsensusBlock"),
    getMasterchainInfo: withoutInput("getMasterchainInfo"),
    getOutMsgQueueSize: withoutInput("getOutMsgQueueSize"),
    getTransactionsStd: methodOf(startPage, true),
    lookupBlock: withInput("lookupBlock"),
    tryLocateResultTx: withInput("tryLocateResultTx"),
    tryLocateSourceTx: withInput("tryLocateSourceTx"),
  };
  return methods as VerifyingClient;
}

function startKey({ workchain, hash }: AccountId, lt: bigint): string {
  return `${workchain}:${hex(hash)}:${lt}`;
}
