import type { DecodedMessage } from "@chain-query/format/messages";
import type { MessageKey } from "../domain.ts";
import { messageKey } from "./keys.ts";
import { readTrace, type StoredTrace, writeTrace } from "./records/message-trace-record.ts";
import type { Table } from "./tables.ts";

/** What a step adds to the index of messages: most are produced and consumed within one, and are then written once. */
export interface TraceUpdates {
  produced(message: DecodedMessage, lt: bigint): void;
  consumed(message: DecodedMessage, lt: bigint): void;
  write(): void;
}

export function traceUpdates(messages: Table): TraceUpdates {
  const traces = new Map<string, { readonly key: Buffer; readonly trace: StoredTrace }>();

  const update = (message: DecodedMessage, change: StoredTrace, mayBeStored: boolean): void => {
    const named = nameOf(message);
    if (!named) return;
    const key = messageKey(named);
    const id = key.toString("latin1");
    const before = traces.get(id)?.trace ?? (mayBeStored ? stored(messages, key) : {});
    traces.set(id, { key, trace: { ...before, ...change } });
  };

  return {
    produced: (message, lt) => update(message, { producerLt: lt }, false),
    consumed: (message, lt) => update(message, { consumerLt: lt }, true),
    write: () => {
      for (const { key, trace } of traces.values()) messages.putSync(key, writeTrace(trace));
    },
  };
}

function stored(messages: Table, key: Buffer): StoredTrace {
  const record = messages.get(key);
  return record ? readTrace(record) : {};
}

/** Messages from outside and to outside are named by nothing that could be looked for. */
function nameOf({ source, destination, createdLt }: DecodedMessage): MessageKey | undefined {
  return source && destination ? { source, destination, createdLt } : undefined;
}
