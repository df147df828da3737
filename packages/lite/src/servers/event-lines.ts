import { hex } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { LiteEvent } from "./events.ts";

/** A line of a log. */
export interface LiteEventLine {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** The details of the event, as JSON values, without the names that loggers use. */
  readonly details: Readonly<Record<string, unknown>> & { readonly [Name in "level" | "time" | "msg"]?: never };
}

const frequent = ["answer", "cached", "shared", "call"] as const;
type Logged = Exclude<LiteEvent["type"], (typeof frequent)[number]>;

const lines: { readonly [Type in Logged]: readonly [LiteEventLine["level"], string] } = {
  "server-up": ["info", "lite server connected"],
  "server-down": ["warn", "lite server failing, will be tried again"],
  quarantine: ["error", "lite server gave a wrong answer and is left alone; tell its operator"],
  unproved: ["warn", "an answer of a lite server is not proved, and no other server has answered; it is still asked"],
  overruled: ["warn", "lite server refuses what another one answers, and is asked less often"],
  sync: ["info", "verifying signatures up to the newest block"],
  verified: ["info", "the newest block is verified by the signatures of validators"],
  "signed-fork": ["error", "validators have signed two chains, nothing is read any more"],
  unverified: ["error", "no newer block can be verified"],
  unsigned: ["warn", "the newest block is that of one lite server, and is not verified by signatures"],
  "refused-fork": ["error", "former validators have signed another chain, which is refused; find out which one is right"],
  "anchor-failed": ["warn", "the anchor file cannot be written, the next start verifies from an older block"],
};

/** Events that servers can cause at any time: one line for each type, server and class of errors in a minute. */
const limited: ReadonlySet<LiteEvent["type"]> = new Set<LiteEvent["type"]>(["server-down", "unproved", "overruled"]);
const MINUTE = 60_000;

/**
 * Returns a function that makes the log line of an event. Undefined for "answer", "cached", "shared" and "call", and for most of "sync" and
 * "verified", which are too frequent, and for what the same server caused less than a minute before.
 *
 * @example
 * ```ts
 * const lineOf = liteEventLines();
 * const onEvent = (event: LiteEvent) => {
 *   const line = lineOf(event);
 *   if (line) console[line.level](line.message, line.details);
 * };
 * ```
 */
export function liteEventLines(): (event: LiteEvent) => LiteEventLine | undefined {
  const logged = new Map<string, number>();
  return (event) => {
    if (!isLogged(event)) return undefined;
    if (limited.has(event.type) && "server" in event) {
      const key = [event.type, event.server, "class" in event ? event.class : ""].join();
      if (performance.now() - (logged.get(key) ?? Number.NEGATIVE_INFINITY) < MINUTE) return undefined;
      logged.set(key, performance.now());
    }
    const [level, message] = lines[event.type];
    const { type: _, ...details } = event;
    if ("blocks" in event) return { level, message, details: { ...details, blocks: event.blocks.map(hashesOf) } };
    return { level, message, details };
  };
}

function isLogged(event: LiteEvent): event is Extract<LiteEvent, { type: Logged }> {
  if (event.type === "sync") return event.isMilestone;
  if (event.type === "verified") return event.isFirst;
  return !frequent.some((type) => type === event.type);
}

function hashesOf({ seqno, rootHash, fileHash }: BlockId) {
  return { seqno, rootHash: hex(rootHash), fileHash: hex(fileHash) };
}
