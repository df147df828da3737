import type { LiteEvent } from "../servers/events.ts";

type SyncEvent = Extract<LiteEvent, { type: "sync" }>;

/**
 * Shows on a line of a terminal how far signatures are verified before the first head. Returns a function that receives the events.
 *
 * @example
 * ```ts
 * import { statusLine } from "@chain-query/command-line";
 *
 * const client = liteClient(config, { onEvent: liteSyncStatus(statusLine(process.stderr)) });
 * ```
 */
export function liteSyncStatus(line: { show(text: string): void; clear(): void }): (event: LiteEvent) => void {
  return (event) => {
    if (event.type === "sync") line.show(describeSync(event));
    else if (event.type === "verified" && event.isFirst) line.clear();
  };
}

/** One line, such as `verifying signatures: key block 1200 of 5000, 8431 signatures`. */
export function describeSync({ seqno, target, signatures }: SyncEvent): string {
  return `verifying signatures: key block ${seqno} of ${target}, ${signatures} signatures`;
}
