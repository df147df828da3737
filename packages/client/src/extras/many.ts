/** One operation for many inputs. */
import { reasonOf, unknownOption } from "#checks";
import type { QueryPromise, Safe } from "../calls/query-promise.ts";
import { check, integerRule, isFunction, mustBe, positiveRule, type Rule, shown, signalRule } from "../checks/rules.ts";
import { AbortedError } from "../errors.ts";
import type { CallOptions } from "../options.ts";

/**
 * Options of `many`. Those of a call hold for each call.
 *
 * @example
 * ```ts
 * const options: ManyOptions = { concurrency: 4, maxRetries: 5, signal };
 * ```
 */
export interface ManyOptions extends CallOptions {
  /**
   * Calls at once, 8 by default. The client's rate limit holds for all of them.
   *
   * @example { concurrency: 4 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  concurrency?: number | undefined;
  /**
   * Aborts the calls that have begun, begins no more, and ends the iteration with an `AbortedError`.
   *
   * @example { signal: AbortSignal.timeout(60_000) }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  signal?: AbortSignal | undefined;
}

const rules: Record<keyof ManyOptions, Rule> = {
  concurrency: integerRule(1),
  signal: signalRule,
  timeoutMs: positiveRule,
  deadlineMs: positiveRule,
  maxRetries: integerRule(0),
  headers: [(value) => typeof value === "object", "an object of headers", true],
};

/**
 * The result of one of many calls, or its error as a value, with its input.
 *
 * @example
 * ```ts
 * const show = ({ input, ...outcome }: Outcome<GetAddressInformationInput, FullAccountState>): string =>
 *   `${input.address}: ${outcome.ok ? outcome.result.balance : outcome.error.message}`;
 * ```
 */
export type Outcome<Input, Result> = Safe<Result> & { readonly input: Input };

/**
 * The outcomes of many calls, in the order of their inputs. Nothing is sent before the first iteration.
 *
 * @example
 * ```ts
 * const accounts: Many<GetAddressInformationInput, FullAccountState> = many(chain.getAddressInformation, inputs);
 * const outcomes = await accounts.all();
 * ```
 */
export interface Many<Input, Result> extends AsyncIterable<Outcome<Input, Result>> {
  /**
   * Resolves to a list of all outcomes.
   *
   * @example const failed = (await many(chain.lookupBlock, inputs).all()).filter(({ ok }) => !ok);
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  all(): Promise<Outcome<Input, Result>[]>;
}

/**
 * Calls an operation for each input, some at once, and yields the outcomes in the order of the inputs. The failure of a call is a value.
 *
 * Inputs are taken as calls begin, at most ten times `concurrency` ahead of the iteration, so that they may be a stream without an end.
 * `break` aborts the calls that have begun. The iteration throws what the inputs and your own middleware throw, an `AbortedError` if the
 * signal aborts, and `many` itself an `InvalidArgumentError` for a wrong option.
 *
 * @example
 * ```ts
 * const inputs = addresses.map((address) => ({ address }));
 * for await (const { input, ...account } of many(chain.getAddressInformation, inputs, { concurrency: 4 })) {
 *   console.log(input.address, account.ok ? account.result.balance : account.error.message);
 * }
 * ```
 */
export function many<Input, Result>(
  call: (input: Input, options?: CallOptions) => QueryPromise<Result>,
  inputs: Iterable<Input> | AsyncIterable<Input>,
  options: ManyOptions = {},
): Many<Input, Result> {
  if (!isFunction(call)) mustBe("many", "call", method, shown(call));
  if (!isIterable(inputs)) mustBe("many", "inputs", "an array or another iterable of objects", shown(inputs));
  check("many", options, rules, [], unknownOption);
  const caller = new Error();
  const iterable: Many<Input, Result> = {
    [Symbol.asyncIterator]: () => outcomes(call, inputs, options, caller),
    async all() {
      const all: Outcome<Input, Result>[] = [];
      for await (const outcome of iterable) all.push(outcome);
      return all;
    },
  };
  return iterable;
}

const method = "a method of a client, such as chain.lookupBlock";

function isIterable(inputs: unknown): boolean {
  const { [Symbol.iterator]: sync, [Symbol.asyncIterator]: async } = Object(inputs);
  return typeof inputs === "object" && isFunction(sync ?? async);
}

/** Adds the frames of the caller of `many`, which the stack of a later call lacks. */
function calledBy<Failure extends Error>(caller: Error, failure: Failure): Failure {
  failure.stack = `${failure.stack}\n${caller.stack?.replace(/^Error\n/, "")}`;
  return failure;
}

async function* outcomes<Input, Result>(
  call: (input: Input, options?: CallOptions) => QueryPromise<Result>,
  inputs: Iterable<Input> | AsyncIterable<Input>,
  { concurrency = 8, signal, ...options }: ManyOptions,
  caller: Error,
): AsyncGenerator<Outcome<Input, Result>, void> {
  /** One for each call that has begun: a signal that many calls listen to is reported as a leak. */
  const active = new Set<AbortController>();
  let isAborted = false;
  const begun: Promise<Outcome<Input, Result>>[] = [];
  let waiting: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => waiting.push(resolve));
  const notify = (): void => {
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  };
  const abort = (): void => {
    isAborted = true;
    for (const controller of active) controller.abort(signal?.reason);
    notify();
  };
  const begin = async (input: Input): Promise<Outcome<Input, Result>> => {
    const controller = new AbortController();
    active.add(controller);
    try {
      const begun = call(input, { ...options, signal: controller.signal });
      if (!isFunction(Object(begun).safe)) mustBe("many", "call", method, `one that returns ${shown(begun)}`);
      const outcome = await begun.safe();
      if (!outcome.ok) calledBy(caller, outcome.error);
      return { ...outcome, input };
    } finally {
      active.delete(controller);
      notify();
    }
  };
  /** The end of the inputs, or their failure, which is thrown after the outcomes before it. */
  let end: { readonly error?: unknown } | undefined;
  const take = async (): Promise<void> => {
    for await (const input of isAborted ? [] : inputs) {
      if (isAborted) return;
      const outcome = begin(input);
      // It is awaited in its turn: until then its failure is not unhandled.
      outcome.catch(() => {});
      begun.push(outcome);
      notify();
      while (!isAborted && (active.size >= concurrency || begun.length >= 10 * concurrency)) await change();
      if (isAborted) return;
    }
  };

  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  take().then(
    () => {
      end = {};
      notify();
    },
    (error: unknown) => {
      end = { error };
      notify();
    },
  );
  try {
    for (;;) {
      const [first] = begun;
      const outcome = await (first ?? (end || signal?.aborted ? undefined : change()));
      if (signal?.aborted) {
        const why = `aborted by its signal: ${reasonOf(signal.reason)}`;
        throw calledBy(caller, new AbortedError(why, { operation: "many", attempts: 0 }, { cause: signal.reason }));
      }
      if (outcome) {
        begun.shift();
        notify();
        yield outcome;
      } else if (end && begun.length === 0) {
        if ("error" in end) throw end.error;
        return;
      }
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    abort();
  }
}
