/**
 * The one deadline of a request. The request ends with it, whichever of limits, keys, head and reads it waits for. Other limits are shares of
 * it, so that a store that does not answer leaves time for another one: statements of PostgreSQL and replies of Redis.
 */
import type { ServerResponse } from "node:http";
import { slowPart } from "@chain-query/format/async";
import { ChainReadError } from "@chain-query/format/store";
import { HttpError } from "./failure.ts";

const callerGone = new HttpError(422, "the caller closed the connection before the response");

function lateError(signal: AbortSignal, milliseconds: number): ChainReadError {
  return new ChainReadError("slow", `${slowPart(signal)} did not answer within ${milliseconds / 1000} s`);
}

/** The signal of work that no request waits for alone, such as the status of all. Its reason names the part that was slow. */
export function deadlineSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(lateError(controller.signal, milliseconds)), milliseconds).unref();
  return controller.signal;
}

/** The deadline of one request. */
export class Deadline {
  readonly #controller = new AbortController();
  /** Of `performance.now()`. */
  until: number;
  #reject: (reason: unknown) => void = () => {};

  constructor(until: number) {
    this.until = until;
  }

  /** Aborts at the deadline, or when the caller has closed the connection. Its reason is the error for the caller. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The result of all work for the request. Rejects when the signal aborts, without the cost of a listener. */
  limit<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.signal.aborted) reject(this.signal.reason);
      work.then(resolve, reject);
    });
  }

  end(reason: Error): void {
    this.#controller.abort(reason);
    this.#reject(reason);
  }
}

/** Ends requests at their deadline, and when their callers close the connection. */
export class Deadlines {
  readonly #milliseconds: number;
  /** In the order of their deadlines, since all have the same time: one timer is enough. */
  readonly #open = new Set<Deadline>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** The deadline of a request that arrives now. */
  begin(response: Pick<ServerResponse, "on" | "writableFinished">): Deadline {
    const deadline = new Deadline(performance.now() + this.#milliseconds);
    this.#open.add(deadline);
    this.#timer ??= setTimeout(this.#check, this.#milliseconds).unref();
    response.on("close", () => {
      this.#open.delete(deadline);
      if (!response.writableFinished) deadline.end(callerGone);
    });
    return deadline;
  }

  /** Stops the time of a request that waits for the head. */
  pause(deadline: Deadline): void {
    this.#open.delete(deadline);
  }

  /** Gives a request all of its time again. */
  resume(deadline: Deadline): void {
    if (deadline.signal.aborted) return;
    deadline.until = performance.now() + this.#milliseconds;
    this.#open.add(deadline);
    this.#timer ??= setTimeout(this.#check, this.#milliseconds).unref();
  }

  /** Replies that arrived while the process was busy are read before a request counts as late. */
  readonly #check = (): void => {
    setImmediate(() => {
      this.#timer = undefined;
      for (const deadline of this.#open) {
        const left = deadline.until - performance.now();
        if (left > 0) {
          this.#timer = setTimeout(this.#check, left).unref();
          return;
        }
        this.#open.delete(deadline);
        deadline.end(lateError(deadline.signal, this.#milliseconds));
      }
    });
  };
}
