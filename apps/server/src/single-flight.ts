import { untilAborted } from "@chain-query/format/abort";
import { setWaitingFor } from "./deadline.ts";
import { budgetOf, payWith } from "./query-budget.ts";

interface Flight<Value> {
  readonly key: string;
  readonly result: Promise<Value>;
  readonly controller: AbortController;
  callers: number;
}

/**
 * Does equal work once for all concurrent requests that need it. Aborts the work when the last of them is aborted. Work that an address
 * without a key pays for is done for its requests only, since it may be refused and comes last.
 */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  /**
   * @param key - Equal for equal work.
   * @param work - Receives the signal of the work.
   * @param signal - Of the request.
   */
  async run(key: string, work: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    const client = budgetOf(signal)?.client;
    const ownKey = client === undefined ? key : `${key} of ${client}`;
    const flight = this.#flights.get(key) ?? this.#flights.get(ownKey) ?? this.#begin(ownKey, work, signal);
    flight.callers++;
    setWaitingFor(signal, flight.controller.signal);
    const leave = (): void => {
      flight.callers--;
      if (flight.callers > 0) return;
      this.#end(flight);
      flight.controller.abort(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await untilAborted(flight.result, signal);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Value>, request: AbortSignal): Flight<Value> {
    const controller = new AbortController();
    payWith(request, controller.signal);
    const flight = { key, result: work(controller.signal), controller, callers: 0 };
    this.#flights.set(key, flight);
    const end = (): void => this.#end(flight);
    flight.result.then(end, end);
    return flight;
  }

  #end(flight: Flight<Value>): void {
    if (this.#flights.get(flight.key) === flight) this.#flights.delete(flight.key);
  }
}
