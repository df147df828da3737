/** The lite client of a process, which reads from the servers of a file, and is replaced when the file changes. */
import { isEqual } from "@chain-query/format/cells";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { type AccountVersion, accountKey, type BlockId } from "@chain-query/format/store";
import {
  accountState,
  isMissingSomewhere,
  type LiteClient,
  type LiteConfig,
  type LiteReadOptions,
  type LiteServerStatus,
  liteChainReader,
  liteClient,
  liteEventLines,
  type OnLiteEvent,
  readLite,
} from "@chain-query/lite";
import type { EarlierHistory } from "@chain-query/postgres-store";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { WordsOf } from "../decorate.ts";
import { budgetOf } from "../query-budget.ts";
import type { LiteOptions, ServeOptions } from "../serve-options.ts";
import { SharedWork } from "../shared-work.ts";

/**
 * Connects to the servers of the files.
 *
 * @param former - What it has verified stays verified, unless the files have a hard fork or another trusted block.
 */
export function connect(
  { servers, archival }: LiteConfig,
  options: LiteOptions,
  { deadline }: Pick<ServeOptions, "deadline">,
  onEvent: OnLiteEvent,
  former?: LiteClient,
): LiteConnection {
  const client = liteClient(servers, {
    anchorFile: options.anchor,
    headFrom: options.headFrom,
    former,
    // The signals of requests end reads; a read that several requests share may begin before the last of them.
    timeoutMs: 2 * deadline * 1000,
    rate: options.rate,
    archival: archival?.servers ?? [],
    onEvent,
  });
  return { client, hasArchive: (archival?.servers.length ?? 0) > 0 };
}

/** Who pays for the queries of a read. Those of a request without a key come last, and so do those of no request. */
export function costOf(signal: AbortSignal): Pick<LiteReadOptions, "budget" | "yields"> {
  const budget = budgetOf(signal);
  return { budget, yields: budget === undefined || budget.client !== undefined };
}

export const liteWords: WordsOf = (error) => ({
  slow: "the lite servers did not answer in time",
  unavailable: isMissingSomewhere(error)
    ? "the lite servers that answer do not have this, and others cannot be asked now"
    : "no lite server gave a valid answer",
});

/** Returns the function that logs events for the operator. Answers are not logged. */
export function liteEventLog(log: Logger): OnLiteEvent {
  const lineOf = liteEventLines();
  return (event) => {
    const line = lineOf(event);
    if (line !== undefined) log[line.level](line.details, line.message);
  };
}

/** A lite client for one list of servers. */
interface LiteConnection {
  readonly client: LiteClient;
  /** Whether the list names servers for old history. */
  readonly hasArchive: boolean;
}

/** Milliseconds without a connected server after which the service is not ready, and after which nothing is read any more. */
const readyLimit = 5_000;
const silenceLimit = 30_000;
const checkInterval = 500;
/** Milliseconds that servers have to be connected at the start, before it is a problem that none of them is. */
const startTimeout = 5_000;
/** Milliseconds that the servers of a new list have for a head that is not older, and that reads from the old ones have to end. */
const replaceTimeout = 10_000;
const oldTimeout = 30_000;

/**
 * Waits until servers have a head, in whose chain the newest block so far is.
 *
 * @param served - The newest block so far.
 * @param timeout - Milliseconds.
 * @throws Error with one line if they do not, or if they are servers of another network.
 */
export async function requireHead(
  client: LiteClient,
  zeroState: BlockId,
  served: BlockId | undefined,
  timeout: number = replaceTimeout,
): Promise<void> {
  if (!isEqual(client.zeroState.rootHash, zeroState.rootHash)) throw new Error("its zero_state is that of another network");
  const signal = AbortSignal.timeout(timeout);
  await client.waitForHead({ signal }).catch(() => {
    throw new Error(`no masterchain block of its servers is accepted within ${timeout / 1000} s${reasonOf(client)}`);
  });
  if (served === undefined) return;
  const { seqno, rootHash } = served;
  const { block } = await client.waitForHead({ seqno, signal }).catch(() => {
    throw new Error(`its servers do not have the newest block so far, ${seqno}, within ${timeout / 1000} s${reasonOf(client)}`);
  });
  const found = block.seqno === seqno ? block : (await client.lookupBlock(MASTERCHAIN, { seqno }, { signal }))?.id;
  if (found === undefined || !isEqual(found.rootHash, rootHash))
    throw new Error(`the newest block so far, ${seqno}, is not in the chain of its servers; restart to read theirs`);
}

function reasonOf({ problem, servers }: LiteClient): string {
  return `: ${problem ?? statesOf(servers)}`;
}

/** Those that are asked for the head. */
const deciding = (servers: readonly LiteServerStatus[]) => servers.filter(({ archival }) => !archival);

/** How many servers that are asked for the head are in each state. */
function statesOf(servers: readonly LiteServerStatus[]): string {
  const states = Map.groupBy(deciding(servers), ({ state }) => state);
  return [...states].map(([state, { length }]) => `${length} ${state}`).join(", ");
}

export class LiteNetwork {
  #connection: LiteConnection;
  readonly #onChange: (problem: string | undefined) => void;
  readonly #startedAt = performance.now();
  /** When a server was last found ready, of `performance.now()`. */
  #lastReadyAt = Number.NEGATIVE_INFINITY;
  #reported: string | undefined;
  readonly #timer: NodeJS.Timeout;
  /** Besides the current one: a next one, and old ones whose reads have not ended. */
  readonly #others = new Map<LiteClient, NodeJS.Timeout | undefined>();
  #isClosed = false;

  /** @param onChange - Called when nothing can be read any more, with the reason, and when something can be read again. */
  constructor(connection: LiteConnection, onChange: (problem: string | undefined) => void) {
    this.#connection = connection;
    this.#onChange = onChange;
    this.#timer = setInterval(() => this.#report(), checkInterval);
    this.#timer.unref();
  }

  get client(): LiteClient {
    return this.#connection.client;
  }

  get hasArchive(): boolean {
    return this.#connection.hasArchive;
  }

  get servers(): readonly LiteServerStatus[] {
    return this.client.servers;
  }

  /** Why nothing can be read; undefined if a server was connected lately. Archival ones do not count: they are not asked for the head. */
  get problem(): string | undefined {
    return this.#problemAfter(silenceLimit);
  }

  /** Why no server can be asked now, although blocks in memory may still be read. */
  get unready(): string | undefined {
    return this.#problemAfter(readyLimit);
  }

  /** Why no newer block is accepted, although blocks up to the newest one can be read, or that it is not verified. */
  get warning(): string | undefined {
    const { problem, warning } = this.client;
    return [problem, warning].filter((part) => part !== undefined).join("; ") || undefined;
  }

  /** That validators have signed two chains, and what to do; undefined if it is not known. */
  get signedFork(): string | undefined {
    return this.client.forkedAt === undefined ? undefined : this.client.problem;
  }

  /**
   * Reads from other servers from now on, after their first head.
   *
   * @throws Error with one line if they have no head, or another chain, or if two signed chains are known; the servers stay what they were.
   */
  async replace(next: LiteConnection): Promise<void> {
    this.#others.set(next.client, undefined);
    try {
      this.#requireReplaceable();
      await requireHead(next.client, this.client.zeroState, this.client.head?.block);
      this.#requireReplaceable();
    } catch (error) {
      await this.#end(next.client);
      throw error;
    }
    const { client } = this;
    this.#connection = next;
    this.#others.delete(next.client);
    this.#check();
    const timer = setTimeout(() => void this.#end(client), oldTimeout);
    timer.unref();
    this.#others.set(client, timer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([this.client.close(), ...[...this.#others.keys()].map((client) => this.#end(client))]);
  }

  /** After two signed chains, only a restart has no data of the wrong one in memory, and reads their record, which may not be written yet. */
  #requireReplaceable(): void {
    if (this.#isClosed) throw new Error("the service stops");
    if (this.signedFork !== undefined) throw new Error(this.signedFork);
  }

  async #end(client: LiteClient): Promise<void> {
    clearTimeout(this.#others.get(client));
    this.#others.delete(client);
    await client.close();
  }

  #problemAfter(limit: number): string | undefined {
    const isSilent = () => performance.now() - this.#lastReadyAt > limit;
    if (isSilent()) this.#check();
    if (!isSilent()) return undefined;
    return `no lite server is connected: ${statesOf(this.servers)}`;
  }

  #check(): void {
    if (deciding(this.servers).some(({ state }) => state === "ready" || state === "disputed"))
      this.#lastReadyAt = performance.now();
  }

  #report(): void {
    this.#check();
    const { problem } = this;
    const isStarting = performance.now() - this.#startedAt < startTimeout;
    if (isStarting && problem !== undefined && deciding(this.servers).some(({ state }) => state === "connecting")) return;
    if ((problem === undefined) !== (this.#reported === undefined)) this.#onChange(problem);
    this.#reported = problem;
  }
}

/** Bytes of accounts in memory, approximately. */
const cacheBytes = 32 * 2 ** 20;
const entryOverhead = 700;

/**
 * Reads from lite servers what an index that begins late does not have: the accounts that have not changed since it begins, which are kept in
 * memory, and from archival servers the history before that. All of it is as of blocks of the index.
 */
export function earlierHistory(network: LiteNetwork, retention: number): EarlierHistory {
  const reads = new SharedWork<AccountVersion>();
  const cache = new LRUCache<string, { readonly firstSeqno: number; readonly state: AccountVersion }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ state: { code, data } }) => (code?.length ?? 0) + (data?.length ?? 0) + entryOverhead,
  });
  const reader = liteChainReader({ network, retention, costOf });
  return {
    get reader() {
      return network.hasArchive ? reader : undefined;
    },
    async account(account, { firstSeqno }, at, signal) {
      const key = accountKey(account).toString("hex");
      const cached = cache.get(key);
      if (cached?.firstSeqno === firstSeqno) return cached.state;
      const read = async (shared: AbortSignal): Promise<AccountVersion> => {
        const find = (options: LiteReadOptions) => network.client.getAccount(account, options);
        const found = await readLite(network, { at, costOf }, find, shared);
        const { account: _, block: __, isSuspended: ___, ...state } = accountState(account, found);
        cache.set(key, { firstSeqno, state });
        return state;
      };
      return reads.run(`${firstSeqno} ${key}`, read, signal);
    },
  };
}
