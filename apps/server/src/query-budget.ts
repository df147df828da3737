/**
 * Limits the queries to lite servers that requests cause: each request has a budget, and each address without a key a tenth of the rate. The
 * processes of a service divide the rate, and instances have rates of their own, so each process counts alone.
 */
import { ChainReadError } from "@chain-query/format/store";
import type { LiteBudget } from "@chain-query/lite";
import type { OperationId } from "@chain-query/types";
import { LRUCache } from "lru-cache";
import { exposedHeaders, HttpError } from "./failure.ts";

/** Queries of one request at most. Searches of blocks and messages take the most; the other values are above what their results need. */
const limits: Readonly<Record<OperationId, number>> = {
  getAddressInformation: 20,
  getConsensusBlock: 10,
  getMasterchainInfo: 10,
  getOutMsgQueueSize: 300,
  getTransactionsStd: 200,
  lookupBlock: 100,
  tryLocateResultTx: 200,
  tryLocateSourceTx: 100,
};

/** The part of the rate that one address without a key may use. */
const keylessShare = 0.1;
/** Milliseconds of an address's share that it may use at once. */
const burst = 1_000;
const maxAddresses = 50_000;

interface QueryBudgetOptions {
  /** Queries per second that this process may send to all servers together. */
  readonly rate: () => number;
  /** Whether addresses without a key have a share of the rate. */
  readonly hasShares: boolean;
  /** Receives the number of queries of each request. */
  readonly onEnd: (operation: OperationId, queries: number, isExhausted: boolean) => void;
  /** Called when a request is refused because its address has used its share. */
  readonly onRefusal: () => void;
}

/** A request that may cause queries. */
interface PayingRequest {
  readonly operation: OperationId;
  /** The address to count, without a key; otherwise undefined. */
  readonly client: string | undefined;
  /** Time of `performance.now()` up to which a query may be delayed. */
  readonly until: () => number;
}

/** The signal of a request, or of the work that it began, with its budget. A weak map would slow garbage collection down. */
interface PayingSignal extends AbortSignal {
  budget?: RequestBudget | undefined;
}

/** The budget of a request, or of the work that it began; undefined for work of no request, and for sources without lite servers. */
export function budgetOf({ budget }: PayingSignal): RequestBudget | undefined {
  return budget;
}

/** Pays for work with the budget of the request that begins it. */
export function payWith(request: PayingSignal, work: PayingSignal): void {
  work.budget = request.budget;
}

export class QueryBudgets {
  readonly #options: QueryBudgetOptions;
  readonly #shares = new LRUCache<string, Share>({ max: maxAddresses });

  constructor(options: QueryBudgetOptions) {
    this.#options = options;
  }

  /** Gives a request its budget. */
  begin(signal: PayingSignal, request: PayingRequest): void {
    const { client } = request;
    const share = client === undefined || !this.#options.hasShares ? undefined : this.#shareOf(client);
    signal.budget = new RequestBudget(request, share, this.#options.onRefusal);
  }

  /** Counts the queries of a request. */
  end({ budget }: PayingSignal): void {
    if (budget !== undefined) this.#options.onEnd(budget.operation, budget.sent, budget.isExhausted);
  }

  #shareOf(client: string): Share {
    const share = this.#shares.get(client) ?? new Share(() => keylessShare * this.#options.rate());
    this.#shares.set(client, share);
    return share;
  }
}

/** The queries of one address without a key. */
class Share {
  readonly #rate: () => number;
  /** The time up to which the rate is used, of `performance.now()`. */
  #usedUntil = Number.NEGATIVE_INFINITY;
  /** The last of the queries that wait, and their number. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** @param rate - Queries per second. */
  constructor(rate: () => number) {
    this.#rate = rate;
  }

  /**
   * Takes a query, or returns a promise that does so in its turn.
   *
   * @throws HttpError if its turn is after `until`, which it reports.
   */
  take(until: number, onRefusal: () => void): Promise<void> | undefined {
    if (this.#waiting === 0 && this.#delay() <= 0) {
      this.use();
      return undefined;
    }
    const requireTurn = (before: number): void => {
      const late = this.#delay() + (before * 1000) / this.#rate();
      if (performance.now() + late <= until) return;
      onRefusal();
      throw shareUsed(this.#rate(), late);
    };
    requireTurn(this.#waiting);
    this.#waiting += 1;
    const turn = this.#last.then(async () => {
      try {
        for (let delay = this.#delay(); delay > 0; delay = this.#delay()) {
          requireTurn(0);
          await new Promise((resolve) => setTimeout(resolve, delay));
        }
        this.use();
      } finally {
        this.#waiting -= 1;
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Takes a query that is sent in any case: the next ones wait for it. */
  use(): void {
    this.#usedUntil = this.#next();
  }

  /** The time up to which the rate is used with one more query. An address may use a second of its rate at once. */
  #next(): number {
    const interval = 1000 / this.#rate();
    return Math.max(this.#usedUntil, performance.now() - Math.max(burst, interval)) + interval;
  }

  /** Milliseconds until the next query. */
  #delay(): number {
    return Math.ceil(this.#next() - performance.now());
  }
}

export class RequestBudget implements LiteBudget {
  readonly operation: OperationId;
  /** The address of a request without a key. */
  readonly client: string | undefined;
  /** Queries so far. */
  sent = 0;
  isExhausted = false;
  readonly #until: () => number;
  readonly #share: Share | undefined;
  readonly #onRefusal: () => void;
  #isRefused = false;

  constructor({ operation, client, until }: PayingRequest, share: Share | undefined, onRefusal: () => void) {
    this.operation = operation;
    this.client = client;
    this.#until = until;
    this.#share = share;
    // Several queries of a request may be refused.
    this.#onRefusal = () => {
      if (!this.#isRefused) onRefusal();
      this.#isRefused = true;
    };
  }

  spend(): Promise<void> | undefined {
    const limit = limits[this.operation];
    if (this.sent >= limit) {
      this.isExhausted = true;
      throw new ChainReadError("slow", exhausted(limit));
    }
    const delay = this.#share?.take(this.#until(), this.#onRefusal);
    this.sent += 1;
    return delay;
  }

  repeat(): void {
    this.sent += 1;
    this.#share?.use();
  }
}

function exhausted(limit: number): string {
  return `the request takes more than ${limit} queries to lite servers; ask a narrower question, or a service with an index`;
}

function shareUsed(share: number, milliseconds: number): HttpError {
  const rate = Number(share.toFixed(1));
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const advice = "send an API key, or ask a narrower question";
  return new HttpError(429, `rate limit exceeded: ${rate} queries per second to lite servers without an API key; ${advice}`, {
    headers: { "retry-after": `${seconds}`, ...exposedHeaders },
  });
}
