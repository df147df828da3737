/** Waits for the transaction that a message causes. */
import type { LocatedTransaction } from "@chain-query/types";
import { check, positiveRule, type Rule, signalRule } from "../checks/rules.ts";
import type { ChainClient } from "../client.ts";
import { AbortedError, NotFoundError, TimeoutError } from "../errors.ts";
import type { CallOptions } from "../options.ts";
import { type AnyMessage, locatorOf, type MessageLocator } from "./message.ts";
import { passes, retryAfterOf, sleep } from "./polling.ts";

/**
 * Options of `waitForResult`.
 *
 * @example
 * ```ts
 * const options: WaitOptions = { deadlineMs: 120_000, signal };
 * ```
 */
export interface WaitOptions {
  /**
   * Milliseconds to wait at most, for all requests and pauses. 60,000 by default.
   *
   * @example { deadlineMs: 120_000 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  deadlineMs?: number | undefined;
  /**
   * Milliseconds before the second request. Each further pause is half as long again, up to 10 seconds. 1,000 by default.
   *
   * @example { intervalMs: 2_000 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  intervalMs?: number | undefined;
  /**
   * Ends the wait with an `AbortedError`.
   *
   * @example { signal: AbortSignal.timeout(30_000) }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  signal?: AbortSignal | undefined;
}

const longestPauseMs = 10_000;

/**
 * Waits until a message has arrived, and resolves to the transaction that it caused. Takes a message of any response, or its source,
 * destination and `createdLt`.
 *
 * A 404 means "not yet" here, and so do failures that may pass; a wrong base URL ends the wait. If the deadline ends first, it rejects with a `TimeoutError`, whose `cause`
 * is the last response of the service. Throws an `InvalidArgumentError` for a message from or to outside the chain.
 *
 * @example
 * ```ts
 * const [message] = sent.out_msgs;
 * if (message) {
 *   const received = await waitForResult(chain, message, { deadlineMs: 60_000 });
 *   console.log("arrived in", received.transaction_id.lt);
 * }
 * ```
 */
export async function waitForResult(
  chain: ChainClient,
  message: AnyMessage | MessageLocator,
  options: WaitOptions = {},
): Promise<LocatedTransaction> {
  check("waitForResult", options, {
    deadlineMs: positiveRule,
    intervalMs: positiveRule,
    signal: signalRule,
  } satisfies Record<keyof WaitOptions, Rule>);
  const { deadlineMs = 60_000, intervalMs = 1_000, signal } = options;
  const locator = locatorOf("waitForResult", message);
  const deadline = performance.now() + deadlineMs;
  const point = { operation: "waitForResult", attempts: 0 };
  let pauseMs = intervalMs;
  let cause: unknown;
  let reached = false;
  for (;;) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw new TimeoutError(`no result within the deadline of ${deadlineMs} ms`, point, { cause });
    point.attempts++;
    try {
      return await chain.tryLocateResultTx(locator, { signal, deadlineMs: leftMs });
    } catch (error) {
      reached ||= Object(Object(error).envelope).ok === false;
      if (!passes(error, reached)) throw error;
      // Another service, or another path of this one, answers 404 too.
      if (error instanceof NotFoundError && point.attempts === 2) await checkUrl(chain, { signal, deadlineMs: leftMs });
      // The deadline of the last call says less than the response before it.
      if (cause === undefined || !(error instanceof TimeoutError)) cause = error;
    }
    const wait = Math.max(pauseMs, retryAfterOf(cause));
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())), signal).catch((reason) => {
      throw new AbortedError("aborted by its signal", point, { cause: reason });
    });
    pauseMs = Math.min(pauseMs * 1.5, Math.max(longestPauseMs, intervalMs));
  }
}

/** Throws the 404 of an operation that every deployment responses: then the base URL is wrong. */
async function checkUrl(chain: ChainClient, options: CallOptions): Promise<void> {
  const response = await chain.getMasterchainInfo(options).safe();
  if (!response.ok && response.error instanceof NotFoundError) throw response.error;
}
