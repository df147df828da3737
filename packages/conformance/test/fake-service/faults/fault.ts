import type { ServiceOptions } from "../../../src/index.ts";
import { isObject } from "../../../src/json.ts";
import { blockAt, shards } from "../chain.ts";
import { conformingService, type Reply, type Service } from "../conforming.ts";

export interface Fault {
  readonly mistake: string;
  /** The check that must fail. */
  readonly caughtBy: string;
  /** The operation under which reports list the check. */
  readonly operation: string;
  /** How the service is validated; by the `live` profile by default. */
  readonly options?: Partial<ServiceOptions>;
  /** Called for each run, because some services count requests. */
  readonly make: () => Service;
}

export type Input = Record<string, unknown>;
export type Result = Record<string, unknown>;

/** Changes the results of one operation. */
export function changeResult(operation: string, change: (result: Result, input: Input) => unknown): () => Service {
  return () => {
    const right = conformingService();
    const before = right.handlers[operation];
    const handler = (input: Input): unknown => change(structuredClone(before?.(input)) as Result, input);
    return { ...right, handlers: { ...right.handlers, [operation]: handler } };
  };
}

/** A service with wrong results of one operation. */
export function wrongResult(
  operation: string,
  caughtBy: string,
  mistake: string,
  change: (result: Result, input: Input) => unknown,
  options: Partial<ServiceOptions> = {},
): Fault {
  return { mistake, caughtBy, operation, options, make: changeResult(operation, change) };
}

/** A service with wrong transactions in all pages. */
export function wrongTransaction(caughtBy: string, mistake: string, change: (transaction: Result) => Result): Fault {
  return wrongResult(std, caughtBy, mistake, (result) => ({ ...result, transactions: listIn(result).map(change) }));
}

/** Changes replies of all operations. */
export function changeReply(finish: (reply: Reply, operation: string) => Reply | Promise<Reply>): () => Service {
  return () => ({ ...conformingService(), finish: (reply, { operation }) => finish(reply, operation) });
}

/** Accepts some invalid requests. */
export function acceptInvalid(
  isAccepted: (problem: string, input: Input) => boolean,
  instead?: (input: Input) => Input,
): () => Service {
  return () => {
    const right = conformingService();
    return {
      ...right,
      problemIn: (call) => {
        const problem = right.problemIn(call);
        if (problem === undefined || !isAccepted(problem, call.input)) return problem;
        if (instead !== undefined) call.input = instead(call.input);
        return undefined;
      },
    };
  };
}

export function listIn(result: Result): Result[] {
  return Array.isArray(result["transactions"]) ? result["transactions"] : [];
}

export function idIn(holder: unknown, member: string): Result {
  const id = isObject(holder) ? holder[member] : undefined;
  return isObject(id) ? { ...id } : {};
}

export const std = "getTransactionsStd";
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
