import type { ServiceOptions } from "../../../src/index.ts";
import { isObject } from "../../../src/json.ts";
import { blockAt, shards } from "../chain.ts";
import { type Call, conformingService, type Reply, type Service } from "../conforming.ts";

export interface Fault {
  readonly mistake: string;
  /** The check that must fail. */
  readonly caughtBy: string;
  /** The operation under which reports list the check. */
  readonly operation: string;
  /** How the service is validated; by the `live` profile by default. */
  readonly options?: Partial<ServiceOptions>;
  /** Makes the service of a run. */
  readonly make: () => Service;
}

export type Input = Record<string, unknown>;
export type Result = Record<string, unknown>;

/** A service with wrong results of one operation. @param change - Returns the members that are wrong; all others stay. */
export function wrongResult(
  operation: string,
  caughtBy: string,
  mistake: string,
  change: (result: Result, input: Input) => unknown,
  options?: Partial<ServiceOptions>,
): Fault {
  const handler = (input: Input, right: (input: Input) => unknown): unknown => {
    const result = structuredClone(right(input)) as Result;
    return { ...result, ...Object(change(result, input)) };
  };
  return wrongHandler(operation, caughtBy, mistake, handler, options);
}

/** A service with wrong transactions in all pages. */
export function wrongTransaction(caughtBy: string, mistake: string, change: (transaction: Result) => Result): Fault {
  const changed = (one: Result): Result => ({ ...one, ...change(one) });
  return wrongResult(std, caughtBy, mistake, (result) => ({ transactions: listIn(result).map(changed) }));
}

/** A service with another handler of one operation, which may ask the right one. */
export function wrongHandler(
  operation: string,
  caughtBy: string,
  mistake: string,
  handler: (input: Input, right: (input: Input) => unknown) => unknown,
  options: Partial<ServiceOptions> = {},
): Fault {
  const make = (): Service => {
    const service = conformingService();
    const right = (input: Input): unknown => service.handlers[operation]?.(input);
    return { ...service, handlers: { ...service.handlers, [operation]: (input) => handler(input, right) } };
  };
  return { mistake, caughtBy, operation, options, make };
}

/** A service with wrong replies of one operation. */
export function wrongReply(
  operation: string,
  caughtBy: string,
  mistake: string,
  change: (reply: Reply) => Reply | Promise<Reply>,
  options: Partial<ServiceOptions> = {},
): Fault {
  const finish: Service["finish"] = (reply, call) => (call.operation === operation ? change(reply) : reply);
  return { mistake, caughtBy, operation, options, make: () => ({ ...conformingService(), finish }) };
}

/** A service that finds other problems in the requests of the operation that the check names. */
export function wrongProblem(
  caughtBy: string,
  mistake: string,
  problemIn: (call: Call, problem: string | undefined) => string | undefined,
): Fault {
  const operation = caughtBy.split("/")[1] ?? "";
  const make = (): Service => {
    const right = conformingService();
    const other = (call: Call): string | undefined => problemIn(call, right.problemIn(call));
    return { ...right, problemIn: (call) => (call.operation === operation ? other(call) : right.problemIn(call)) };
  };
  return { mistake, caughtBy, operation, make };
}

/** A service that accepts some invalid requests. */
export function acceptsInvalid(
  caughtBy: string,
  mistake: string,
  isAccepted: (problem: string, input: Input) => boolean,
  instead: (input: Input) => Input = (input) => input,
): Fault {
  return wrongProblem(caughtBy, mistake, (call, problem) => {
    if (problem === undefined || !isAccepted(problem, call.input)) return problem;
    call.input = instead(call.input);
    return undefined;
  });
}

export function listIn(result: Result): Result[] {
  return Array.isArray(result["transactions"]) ? result["transactions"] : [];
}

export function idIn(holder: unknown, member: string): Result {
  const id = isObject(holder) ? holder[member] : undefined;
  return isObject(id) ? { ...id } : {};
}

export const std = "getTransactionsStd";
export const account = "getAddressInformation";
export const lookup = "lookupBlock";
export const queues = "getOutMsgQueueSize";
export const byLt = (one: unknown): bigint => BigInt(String(idIn(one, "transaction_id")["lt"]));
export const reversed = (hash: unknown): string => Buffer.from(String(hash), "base64").reverse().toString("base64");

export function blockOf(shard: number, step: number): unknown {
  const found = shards[shard];
  return found === undefined ? undefined : blockAt(step, found);
}

export function queuesIn(result: Result): Result[] {
  return Array.isArray(result["shards"]) ? result["shards"] : [];
}

export function attempt(find: () => unknown): unknown {
  try {
    return find();
  } catch {
    return undefined;
  }
}
