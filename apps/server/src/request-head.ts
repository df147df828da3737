/** The one head that a request is answered as of. */
import { type Awaitable, andThen } from "@chain-query/format/async";
import type { ChainReader, Head } from "@chain-query/format/store";

/** Who asks. */
interface Caller {
  /** The API key, or the address without a key. */
  readonly owner: string;
}

/**
 * Every read of a request is as of its head. It is the newest one that is known without a query, until the request needs the newest one,
 * which is read once.
 *
 * @example
 * ```ts
 * const head = new RequestHead(source, signal);
 * const block = await head.find((at) => source.block(shard, { seqno: 7 }, at, signal));
 * ```
 */
export class RequestHead {
  /** Of the request, or of the work that it shares. */
  readonly signal: AbortSignal;
  /** Absent for requests of the service itself. */
  readonly caller: Caller | undefined;
  readonly #source: ChainReader;
  #head: Head | undefined;
  #newest: Awaitable<Head> | undefined;
  #seqno: number | undefined;

  constructor(source: ChainReader, signal: AbortSignal, caller?: Caller, from?: RequestHead) {
    this.#source = source;
    this.signal = signal;
    this.caller = caller;
    if (from !== undefined) {
      this.#head = from.#head;
      this.#newest = from.#newest instanceof Promise ? undefined : from.#newest;
    } else if (source.known !== undefined) this.#head = source.known();
    else {
      try {
        const newest = this.newest();
        if (newest instanceof Promise) newest.catch(() => {});
      } catch {
        // The first read that needs a head says why it fails.
      }
    }
    this.#seqno = this.#head?.block.id.seqno;
  }

  /** For chain-head: of the head as of which the response is. */
  get seqno(): number | undefined {
    return this.#seqno;
  }

  /** The head so far. */
  get known(): Head | undefined {
    return this.#head;
  }

  /** A head that is not older than the request. */
  newest(): Awaitable<Head> {
    this.#newest ??= andThen(this.#source.head(this.signal), (head) => this.reach(head));
    return this.#newest;
  }

  /** Finds what never changes: as of the head so far, and if that does not have it, as of the newest one. */
  find<Found>(look: (at: Head) => Awaitable<Found | undefined>): Awaitable<Found | undefined> {
    const first = this.#head;
    if (first === undefined) return andThen(this.newest(), look);
    return andThen(look(first), (found) =>
      found === undefined ? andThen(this.newest(), (at) => (at === first ? undefined : look(at))) : found,
    );
  }

  /** Continues as of a head that is not older than the request. */
  reach(head: Head): Head {
    this.answerAsOf(head.block.id.seqno);
    this.#newest = head;
    this.#head = head;
    return head;
  }

  /** Raises the head of the response. */
  answerAsOf(seqno: number): void {
    this.#seqno = Math.max(seqno, this.#seqno ?? 0);
  }
}
