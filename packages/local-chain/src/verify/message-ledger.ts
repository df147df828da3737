import { addCurrencies, type Currencies, NO_CURRENCIES, subtractCurrencies } from "@chain-query/format/currencies";
import { accountName } from "@chain-query/format/identifiers";
import type { DecodedMessage } from "@chain-query/format/messages";
import type { MessageKey } from "@chain-query/format/store";
import { messageKey, type StoredTrace, traceRecord } from "../store/records.ts";
import { countOf, type Tables } from "../store/tables.ts";
import { must, mustEqual } from "./fault.ts";

/** Follows every internal message from the sending to the receiving transaction. */
interface MessageLedger {
  /** Value and forward fees of the messages that were sent and not received. */
  readonly inFlight: Currencies;
  /** Adds the messages that a transaction sent. Called for all transactions of a step before `receive`. */
  send(messages: readonly DecodedMessage[], lt: bigint): void;
  /** Removes the message that a transaction received. */
  receive(message: DecodedMessage, lt: bigint): void;
  /** Checks the index of the messages that wait, and that it has no other entries. */
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
    mustEqual(record, traceRecord.encode(trace), () => `index of the ${nameOf(message)}`);
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
        inFlight = addCurrencies(inFlight, carriedValue(message));
        sent += 1;
      });
    },
    receive: (message, lt) => {
      if (!isInternal(message)) return;
      const sender = waiting.get(idOf(message));
      must(
        sender !== undefined,
        () => `the ${nameOf(message)} was received by transaction ${lt} and never sent, or received twice`,
      );
      must(lt > message.createdLt, () => `the ${nameOf(message)} was received at lt ${lt}, before it was created`);
      waiting.delete(idOf(message));
      inFlight = subtractCurrencies(inFlight, carriedValue(message));
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

function carriedValue({ value, extraCurrencies, forwardFee, ihrFee }: DecodedMessage): Currencies {
  return { coins: value + forwardFee + ihrFee, extra: extraCurrencies };
}

function idOf({ hash }: DecodedMessage): string {
  return Buffer.from(hash).toString("latin1");
}

function nameOf({ source, destination, createdLt }: MessageKey): string {
  return `message from account ${accountName(source)} to ${accountName(destination)} of lt ${createdLt}`;
}
