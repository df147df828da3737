import type { Server } from "./server.ts";

export interface Need {
  /** A masterchain block that the server must have. */
  readonly seqno?: number | undefined;
  /** Whether to ask servers with the whole history, before the others. */
  readonly archival?: boolean | undefined;
  /** The name of the only server to ask, even if it is disputed. */
  readonly server?: string | undefined;
}

export interface Choice {
  readonly server: Server;
  /** The server does not have the block yet, and is asked to wait for it. */
  readonly waitSeqno: number | undefined;
}

/** No allowed server is left ("none"), or all allowed servers are busy ("later"). */
type NoChoice = "none" | "later";

/**
 * Chooses a server for a query: of two random servers the faster one, by average latency and queries in flight. Servers without the
 * block are chosen only if no server has it.
 *
 * @param isLeft - Whether a server may still be asked by this query.
 */
export function choose(
  servers: readonly Server[],
  name: string,
  need: Need,
  isLeft: (server: Server) => boolean,
): Choice | NoChoice {
  const { seqno = 0, archival = false } = need;
  const allowed = servers.filter((server) => isAllowed(server, name, need));
  const left = allowed.filter((server) => server.state === "ready" && isLeft(server));
  const undisputed = left.filter(({ isDisputed }) => !isDisputed);
  // A proof shows that an answer is right.
  const trusted = undisputed.length === 0 ? left : undisputed;
  const preferred = archival ? trusted.filter(({ isArchival }) => isArchival) : [];
  const candidates = preferred.length > 0 ? preferred : trusted;
  if (candidates.length === 0) return allowed.some(({ isPending }) => isPending) ? "later" : "none";
  const keeping = candidates.filter(({ oldestSeqno }) => oldestSeqno <= seqno);
  const having = (keeping.length > 0 ? keeping : candidates).filter(({ block }) => (block?.seqno ?? 0) >= seqno);
  const able = having.length > 0 ? having : furthest(candidates);
  const free = able.filter(({ limit }) => limit.delay() === 0);
  const server = better(free);
  if (!server) return "later";
  return { server, waitSeqno: having.length > 0 ? undefined : seqno };
}

/** Whether a query may go to a server at all. */
export function isAllowed(server: Server, name: string, { archival = false, server: only }: Need = {}): boolean {
  return (archival || !server.isArchival) && !server.unknownFunctions.has(name) && (only === undefined || server.name === only);
}

function furthest(servers: readonly Server[]): Server[] {
  const newest = Math.max(...servers.map(({ block }) => block?.seqno ?? 0));
  return servers.filter(({ block }) => (block?.seqno ?? 0) === newest);
}

/** The power of two choices. */
function better(servers: readonly Server[]): Server | undefined {
  const first = Math.floor(Math.random() * servers.length);
  const second = (first + 1 + Math.floor(Math.random() * (servers.length - 1))) % servers.length;
  const [a, b] = [servers[first], servers[second]];
  return a && b && expectedTime(b) < expectedTime(a) ? b : a;
}

function expectedTime({ latency, penalty, limit }: Server): number {
  return (latency.expected + penalty.expected) * (limit.inFlight + 1);
}

/** Milliseconds before a second server is asked: at least, and while there are too few answers to the function. */
const EARLIEST = 150;
const UNKNOWN = 1_000;
/** One query in 20 may be sent to a second server, and up to 10 at once. */
const SHARE = 0.05;
const BURST = 10;

const KEPT = 128;
/** Answers after which the percentile is computed again. */
const FRESH_FOR = 16;

/** Sends slow queries to a second server too. */
export class Hedges {
  readonly #recent = new Map<string, { ms: number[]; p95: number | undefined; added: number }>();
  #budget = BURST;

  answered(name: string, ms: number): void {
    const recent = this.#recent.get(name) ?? { ms: [], p95: undefined, added: 0 };
    this.#recent.set(name, recent);
    recent.ms.push(ms);
    if (recent.ms.length > KEPT) recent.ms.shift();
    recent.added += 1;
    if (recent.added % FRESH_FOR === 0) recent.p95 = recent.ms.toSorted((a, b) => a - b)[Math.floor(recent.ms.length * 0.95)];
  }

  /**
   * The first valid result of one or two attempts. Throws the error of the first, or an AggregateError of both.
   *
   * @param startSecond - Undefined if no other server is free.
   */
  async race<Result>(name: string, first: Promise<Result>, startSecond: () => Promise<Result> | undefined): Promise<Result> {
    this.#budget = Math.min(BURST, this.#budget + SHARE);
    if (this.#budget < 1) return await first;
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), Math.max(EARLIEST, this.#recent.get(name)?.p95 ?? UNKNOWN));
    try {
      const ended = first.then(
        () => "ended" as const,
        () => "ended" as const,
      );
      if ((await Promise.race([ended, late.promise])) === "ended") return await first;
    } finally {
      clearTimeout(timer);
    }
    const second = startSecond();
    if (!second) return await first;
    this.#budget -= 1;
    return await Promise.any([first, second]);
  }
}
