/** The one deadline of a request. Limits, keys, head and reads share it: they receive its signal, and have no timeouts of their own. */
import type { ServerResponse } from "node:http";
import { SourceError } from "./chain-source.ts";
import { Refusal } from "./failure.ts";

/** What a request waits for: a part of the service, or work that it shares with other requests. */
const waits = new WeakMap<AbortSignal, string | AbortSignal>();

/**
 * Notes what a request waits for from now on, for the error of its deadline.
 *
 * @param part - In words for the caller, or the signal of shared work.
 */
export function waitsFor(signal: AbortSignal, part: string | AbortSignal): void {
  waits.set(signal, part);
}

/** What a request waits for now. */
export function slowPart(signal: AbortSignal): string {
  const part = waits.get(signal) ?? "the service";
  return typeof part === "string" ? part : slowPart(part);
}

/** The result of a promise. Rejects with the signal's reason as soon as the signal aborts. */
export async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

const callerGone = new Refusal(422, "the caller closed the connection before the answer");

interface Request {
  readonly controller: AbortController;
  /** Of `performance.now()`. */
  readonly until: number;
}

/** Ends requests at their deadline, and when their callers close the connection. */
export class Deadlines {
  readonly #milliseconds: number;
  /** In the order of their deadlines, since all have the same time: one timer is enough. */
  readonly #requests = new Set<Request>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** The signal of a request that arrives now. Its reason is the error for the caller. */
  begin(response: Pick<ServerResponse, "once" | "writableFinished">): AbortSignal {
    const controller = new AbortController();
    const request = { controller, until: performance.now() + this.#milliseconds };
    this.#requests.add(request);
    this.#timer ??= setTimeout(this.#check, this.#milliseconds).unref();
    response.once("close", () => {
      this.#requests.delete(request);
      if (!response.writableFinished) controller.abort(callerGone);
    });
    return controller.signal;
  }

  /** Answers that arrived while the process was busy are read before a request counts as late. */
  readonly #check = (): void => {
    setImmediate(() => {
      this.#timer = undefined;
      for (const request of this.#requests) {
        const left = request.until - performance.now();
        if (left > 0) {
          this.#timer = setTimeout(this.#check, left).unref();
          return;
        }
        this.#requests.delete(request);
        const { signal } = request.controller;
        request.controller.abort(
          new SourceError("slow", `${slowPart(signal)} did not answer within ${this.#milliseconds / 1000} s`),
        );
      }
    });
  };
}
