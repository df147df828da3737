import { addCurrencies, type Currencies, NO_CURRENCIES, subtractCurrencies } from "@chain-query/format/currencies";
import type { DecodedMessage } from "@chain-query/format/messages";
import type { MessageKey } from "../domain.ts";
import { messageKey } from "../store/keys.ts";
import { type StoredTrace, writeTrace } from "../store/records/message-trace-record.ts";
import { countOf, type Tables } from "../store/tables.ts";
import { accountName, must, mustEqual } from "./fault.ts";

/** Follows every message between accounts from the transaction that sent it to the one that took it. */
export interface MessageLedger {
  /** Value that is on its way: what messages carry, and what was paid for carrying them. */
  readonly inFlight: Currencies;
  /** Takes what a transaction sent. All of a step is sent before any of it is taken. */
  send(messages: readonly DecodedMessage[], lt: bigint): void;
  /** Takes the message that a transaction took. */
  take(message: DecodedMessage, lt: bigint): void;
  /** Compares what is left at the end: messages that wait, and that no others are there. */
  finish(): void;
}

interface Waiting {
  readonly message: DecodedMessage & MessageKey;
  readonly producerLt: bigint;
}

export function messageLedger(tables: Tables): MessageLedger {
  const waiting = new Map<string, Waiting>();
  let inFlight = NO_CURRENCIES;
  let sent = 0;

  const checkTrace = (message: MessageKey, trace: StoredTrace): void => {
    const record = tables.messages.get(messageKey(message));
    mustEqual(record, writeTrace(trace), () => `index of the ${nameOf(message)}`);
  };

  return {
    get inFlight() {
      return inFlight;
    },
    send: (messages, lt) => {
      messages.forEach((message, i) => {
        mustEqual(message.createdLt, lt + 1n + BigInt(i), () => `created lt of message ${i} of transaction ${lt}`);
        if (!isInternal(message)) return;
        waiting.set(idOf(message), { message, producerLt: lt });
        inFlight = addCurrencies(inFlight, carriedBy(message));
        sent += 1;
      });
    },
    take: (message, lt) => {
      if (!isInternal(message)) return;
      const sender = waiting.get(idOf(message));
      must(sender !== undefined, () => `the ${nameOf(message)} was taken by transaction ${lt} and never sent, or taken twice`);
      must(lt > message.createdLt, () => `the ${nameOf(message)} was taken at lt ${lt}, not after it was created`);
      waiting.delete(idOf(message));
      inFlight = subtractCurrencies(inFlight, carriedBy(message));
      checkTrace(message, { producerLt: sender.producerLt, consumerLt: lt });
    },
    finish: () => {
      for (const { message, producerLt } of waiting.values()) checkTrace(message, { producerLt });
      mustEqual(countOf(tables.messages), sent, () => "number of messages in the index");
    },
  };
}

function isInternal(message: DecodedMessage): message is DecodedMessage & MessageKey {
  return message.source !== undefined && message.destination !== undefined;
}

function carriedBy({ value, extraCurrencies, forwardFee }: DecodedMessage): Currencies {
  return { coins: value + forwardFee, extra: extraCurrencies };
}

function idOf({ hash }: DecodedMessage): string {
  return Buffer.from(hash).toString("latin1");
}

function nameOf({ source, destination, createdLt }: MessageKey): string {
  return `message from ${accountName(source)} to ${accountName(destination)} of lt ${createdLt}`;
}
