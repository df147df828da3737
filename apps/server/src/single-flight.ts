import { untilAborted } from "@chain-query/format/abort";
import { setWaitingFor } from "./deadline.ts";

interface Flight<Value> {
  readonly result: Promise<Value>;
  readonly controller: AbortController;
  callers: number;
}

/** Does equal work once for all concurrent requests that need it. Aborts the work when the last of them is aborted. */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  /**
   * @param key - Equal for equal work.
   * @param work - Receives the signal of the work.
   * @param signal - Of the request.
   */
  async run(key: string, work: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, work);
    flight.callers++;
    setWaitingFor(signal, flight.controller.signal);
    const leave = (): void => {
      flight.callers--;
      if (flight.callers > 0) return;
      this.#end(key, flight);
      flight.controller.abort(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await untilAborted(flight.result, signal);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const controller = new AbortController();
    const flight = { result: work(controller.signal), controller, callers: 0 };
    this.#flights.set(key, flight);
    const end = (): void => this.#end(key, flight);
    flight.result.then(end, end);
    return flight;
  }

  #end(key: string, flight: Flight<Value>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
