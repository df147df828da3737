/** Follows messages from transaction to transaction. */

import { check, integerRule, type Rule, signalRule } from "../checks/rules.ts";
import type { ChainClient } from "../client.ts";
import { NotFoundError } from "../errors.ts";
import { type AnyMessage, type AnyTransaction, addressOf, locatorOf, type MessageLocator } from "./message.ts";

/**
 * A message, and its known results.
 *
 * @example
 * ```ts
 * function print({ status, message, transaction, children }: TraceNode, depth = 0): void {
 *   console.log(" ".repeat(depth), message?.value, status, transaction?.transaction_id.lt);
 *   for (const child of children) print(child, depth + 1);
 * }
 * ```
 */
export interface TraceNode {
  /**
   * `processed`: `transaction` received it. `pending`: no transaction received it yet. `outbound`: it leaves the chain. `unfollowed`:
   * `maxTransactions` or `maxDepth` ended the trace before it.
   *
   * @example if (node.status === "pending" && node.message) await waitForResult(chain, node.message);
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  readonly status: "processed" | "pending" | "outbound" | "unfollowed";
  /**
   * Absent at the root if the transaction has no incoming message, or if the message was given by its locator and is pending.
   *
   * @example console.log(messageText(node.message));
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  readonly message: AnyMessage | undefined;
  /**
   * The transaction that received the message.
   *
   * @example console.log(node.transaction?.transaction_id.lt);
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  readonly transaction: AnyTransaction | undefined;
  /**
   * One node for each message that the transaction sent, in their order.
   *
   * @example for (const child of node.children) print(child);
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  readonly children: readonly TraceNode[];
}

/**
 * The tree of the results of a message or transaction.
 *
 * @example
 * ```ts
 * const isFinal = ({ isComplete }: Trace): boolean => isComplete;
 * ```
 */
export interface Trace {
  /**
   * The node of the message, or of the transaction, that the trace began with.
   *
   * @example console.log(root.transaction?.account, root.children.length);
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  readonly root: TraceNode;
  /**
   * Whether no node is pending or unfollowed, so that the tree does not change any more.
   *
   * @example if (!isComplete) setTimeout(traceAgain, 5_000);
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  readonly isComplete: boolean;
}

/**
 * Options of `trace`.
 *
 * @example
 * ```ts
 * const options: TraceOptions = { maxTransactions: 20, signal: AbortSignal.timeout(30_000) };
 * ```
 */
export interface TraceOptions {
  /**
   * Messages to follow at most, those near the root first. 100 by default.
   *
   * @example { maxTransactions: 20 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  maxTransactions?: number | undefined;
  /**
   * Generations below the root to follow at most. 20 by default.
   *
   * @example { maxDepth: 3 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  maxDepth?: number | undefined;
  /**
   * Requests at the same time at most; the rate limit of the client applies, too. 8 by default.
   *
   * @example { concurrency: 4 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  concurrency?: number | undefined;
  /**
   * Ends the trace with an `AbortedError`.
   *
   * @example { signal: AbortSignal.timeout(30_000) }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  signal?: AbortSignal | undefined;
}

type Mutable<Node> = { -readonly [Name in keyof Node]: Node[Name] };

/**
 * Follows a message, or the messages that a transaction sent, to the transactions that received them, and on to the messages that those
 * sent. A message that no transaction received yet is a `pending` leaf: trace again later, or `waitForResult` of it.
 *
 * Rejects with the error of the first call that fails. Throws an `InvalidArgumentError` for a message from or to outside the chain.
 *
 * @example
 * ```ts
 * const { root, isComplete } = await trace(chain, message, { maxTransactions: 20 });
 * console.log(root.transaction?.account, root.children.length, isComplete);
 * ```
 */
export async function trace(
  chain: ChainClient,
  from: AnyMessage | MessageLocator | AnyTransaction,
  options: TraceOptions = {},
): Promise<Trace> {
  check("trace", options, {
    maxTransactions: integerRule(1),
    maxDepth: integerRule(0),
    concurrency: integerRule(1),
    signal: signalRule,
  } satisfies Record<keyof TraceOptions, Rule>);
  const { maxTransactions = 100, maxDepth = 20, concurrency = 8, signal } = options;
  const failed = new AbortController();
  const stop = () => failed.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  let isComplete = true;

  async function follow(node: Mutable<TraceNode>, locator: MessageLocator): Promise<void> {
    try {
      received(node, await chain.tryLocateResultTx(locator, { signal: failed.signal }));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      node.status = "pending";
      isComplete = false;
    }
  }

  try {
    const root: Mutable<TraceNode> = { status: "unfollowed", message: undefined, transaction: undefined, children: [] };
    let left = maxTransactions;
    if (isTransaction(from)) received(root, from);
    else {
      if ("msg_data" in Object(from)) root.message = from as AnyMessage;
      await follow(root, locatorOf("trace", from));
      left--;
    }
    let generation: readonly Mutable<TraceNode>[] = root.children;
    for (let depth = 0; generation.length > 0; depth++) {
      const followed = generation.filter(({ status }) => status === "unfollowed");
      const taken = depth < maxDepth ? followed.slice(0, left) : [];
      if (taken.length < followed.length) isComplete = false;
      left -= taken.length;
      await each(taken, concurrency, (node) => (node.message ? follow(node, locatorOf("trace", node.message)) : undefined));
      generation = taken.flatMap(({ children }) => children);
    }
    return { root, isComplete };
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function isTransaction(from: object): from is AnyTransaction {
  return "out_msgs" in Object(from);
}

function received(node: Mutable<TraceNode>, transaction: AnyTransaction): void {
  node.status = "processed";
  node.message ??= transaction.in_msg;
  node.transaction = transaction;
  node.children = transaction.out_msgs.map((message: AnyMessage) => ({
    status: addressOf(message.destination) === "" ? "outbound" : "unfollowed",
    message,
    transaction: undefined,
    children: [],
  }));
}

/** Runs a task for each item, at most `concurrency` at once. */
async function each<Item>(items: readonly Item[], concurrency: number, task: (item: Item) => Promise<void> | undefined) {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
