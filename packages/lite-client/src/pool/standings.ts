import type { Server } from "./server.ts";

/** Milliseconds after which a server that reports only unknown blocks above the head is asked for a proof. */
const UNCONFIRMED = 10_000;
/** Milliseconds between two proofs of such a server, and of one that contradicts the head together with others. */
const [AUDIT_INTERVAL, FOREIGN_INTERVAL] = [60_000, 10_000];

/** What a server's reports show about the head. */
interface Standing {
  /** Time of the last proof that the server has the head in its history, or of its first report; as of `performance.now()`. */
  confirmedAt: number;
  auditedAt: number;
  /** Its blocks are proved not to descend from the head. */
  isForeign: boolean;
}

/** Whether the servers are on the chain of the head. */
export class Standings {
  readonly #standings = new Map<Server, Standing>();

  isForeign(server: Server): boolean {
    return this.#standings.get(server)?.isForeign ?? false;
  }

  /** The servers of another chain. */
  get foreign(): readonly Server[] {
    return [...this.#standings].flatMap(([server, { isForeign }]) => (isForeign ? server : []));
  }

  /** The server has the head in its history. */
  confirm(server: Server): void {
    const standing = this.#of(server);
    standing.confirmedAt = performance.now();
    standing.isForeign = false;
  }

  /** The server does not have the head in its history. */
  refute(server: Server): void {
    this.#of(server).isForeign = true;
  }

  clear(): void {
    this.#standings.clear();
  }

  /** Whether to ask a server with a block above the head whether it descends from it. Notes the time if so. */
  takeAudit(server: Server): boolean {
    const standing = this.#of(server);
    const now = performance.now();
    const interval = standing.isForeign ? FOREIGN_INTERVAL : AUDIT_INTERVAL;
    const isDue = now - standing.confirmedAt > UNCONFIRMED && now - standing.auditedAt > interval;
    if (isDue) standing.auditedAt = now;
    return isDue;
  }

  #of(server: Server): Standing {
    const standing = this.#standings.get(server) ?? {
      confirmedAt: performance.now(),
      auditedAt: Number.NEGATIVE_INFINITY,
      isForeign: false,
    };
    this.#standings.set(server, standing);
    return standing;
  }
}
