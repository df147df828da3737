import { hex } from "@chain-query/format/cells";
import type { LiteEvent } from "./events.ts";

/** A line of a log. */
export interface LiteEventLine {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** The details of the event, as JSON values. */
  readonly details: Readonly<Record<string, unknown>>;
}

type Logged = Exclude<LiteEvent["type"], "answer" | "cached" | "shared" | "call">;

const lines: { readonly [Type in Logged]: readonly [LiteEventLine["level"], string] } = {
  "server-up": ["info", "lite server connected"],
  "server-down": ["warn", "lite server failing, will be tried again"],
  quarantine: ["error", "lite server gave a wrong answer and is left alone; tell its operator"],
  fork: ["error", "lite servers name different blocks; remove the wrong ones from the file"],
  "fork-settled": ["info", "lite servers agree on the block again"],
  "no-quorum": ["error", "too few lite servers can be used to accept a new block; the newest one stays"],
  quorum: ["info", "enough lite servers can be used again"],
  "head-contradicted": ["error", "most lite servers contradict the newest block"],
  "head-given-up": ["error", "the newest block is given up, nothing can be read"],
  "head-recovered": ["warn", "the newest block follows a former one again"],
};

/**
 * The log line of an event; undefined for "answer", "cached", "shared" and "call", which are too frequent.
 *
 * @example
 * ```ts
 * const onEvent = (event: LiteEvent) => {
 *   const line = liteEventLine(event);
 *   if (line) console[line.level](line.message, line.details);
 * };
 * ```
 */
export function liteEventLine(event: LiteEvent): LiteEventLine | undefined {
  if (event.type === "answer" || event.type === "cached" || event.type === "shared" || event.type === "call") return undefined;
  const [level, message] = lines[event.type];
  const { type: _, ...details } = event;
  if (event.type !== "fork") return { level, message, details };
  const claims = event.claims.map(({ block, servers }) => ({ seqno: block.seqno, block: hex(block.rootHash), servers }));
  return { level, message, details: { ...details, claims } };
}
