import { type Flight, SingleFlight, setWaitingFor } from "@chain-query/format/async";
import { budgetOf, payWith } from "./query-budget.ts";

/**
 * Does equal work once for all concurrent requests that need it. Aborts the work when the last of them is aborted. Work that an address
 * without a key pays for is done for its requests only, since it may be refused and comes last.
 */
export class SharedWork<Value> {
  readonly #flights = new SingleFlight<Value>();

  /**
   * @param key - Equal for equal work.
   * @param work - Receives the signal of the work.
   * @param signal - Of the request.
   */
  async run(key: string, work: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    const client = budgetOf(signal)?.client;
    const ownKey = client === undefined ? key : `${key} of ${client}`;
    const begin = ({ signal: shared }: Flight<Value>): Promise<Value> => {
      payWith(signal, shared);
      return work(shared);
    };
    const flight = this.#flights.get(key) ?? this.#flights.get(ownKey) ?? this.#flights.begin(ownKey, begin);
    setWaitingFor(signal, flight.signal);
    return flight.join(signal);
  }
}
