import type { Server } from "./server.ts";

/** Requirements of a query. */
export interface Need {
  /** A masterchain block that the server must have. */
  readonly seqno?: number | undefined;
  /** Whether to ask servers with the whole history, before the others. */
  readonly archival?: boolean | undefined;
}

/** A server for a query. */
export interface Choice {
  readonly server: Server;
  /** The server does not have the block yet, and is asked to wait for it. */
  readonly waitsFor: number | undefined;
}

/** No allowed server is left ("none"), or all allowed servers are busy ("later"). */
export type NoChoice = "none" | "later";

/** The part of a server that matters for the choice. */
export type Candidate = Pick<
  Server,
  "state" | "isDisputed" | "isArchival" | "oldestSeqno" | "unknownFunctions" | "block" | "latency" | "limit" | "wasTried"
>;

/**
 * Chooses a server for a query: of two random servers the faster one, by average latency and queries in flight. Servers without the
 * block are chosen only if no server has it.
 *
 * @param isLeft - Whether a server may still be asked by this query.
 */
export function choose<S extends Candidate>(
  servers: readonly S[],
  name: string,
  { seqno = 0, archival = false }: Need,
  isLeft: (server: S) => boolean,
): { readonly server: S; readonly waitsFor: number | undefined } | NoChoice {
  const allowed = servers.filter(
    ({ isArchival, unknownFunctions }) => (archival || !isArchival) && !unknownFunctions.has(name),
  );
  const left = allowed.filter((server) => server.state === "ready" && !server.isDisputed && isLeft(server));
  const preferred = archival ? left.filter(({ isArchival }) => isArchival) : [];
  const candidates = preferred.length > 0 ? preferred : left;
  // A server that is not connected yet may become available.
  if (candidates.length === 0) return allowed.some(({ wasTried }) => !wasTried) ? "later" : "none";
  const keeping = candidates.filter(({ oldestSeqno }) => oldestSeqno <= seqno);
  const having = (keeping.length > 0 ? keeping : candidates).filter(({ block }) => (block?.seqno ?? 0) >= seqno);
  const able = having.length > 0 ? having : furthest(candidates);
  const free = able.filter(({ limit }) => limit.delay() === 0);
  const server = better(free);
  if (!server) return "later";
  return { server, waitsFor: having.length > 0 ? undefined : seqno };
}

/** The servers with the newest block. */
function furthest<S extends Candidate>(servers: readonly S[]): S[] {
  const newest = Math.max(...servers.map(({ block }) => block?.seqno ?? 0));
  return servers.filter(({ block }) => (block?.seqno ?? 0) === newest);
}

/** The power of two choices. */
function better<S extends Candidate>(servers: readonly S[]): S | undefined {
  const first = Math.floor(Math.random() * servers.length);
  const second = (first + 1 + Math.floor(Math.random() * (servers.length - 1))) % servers.length;
  const [a, b] = [servers[first], servers[second]];
  return a && b && expectedTime(b) < expectedTime(a) ? b : a;
}

function expectedTime({ latency, limit }: Candidate): number {
  return latency.expected * (limit.inFlight + 1);
}
