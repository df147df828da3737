import { describe, expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { busiestAddress, internalMessages, knownChain, messageKey } from "../fixtures/chain.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();

describe("tryLocateSourceTx and tryLocateResultTx", () => {
  test("find both transactions of a message", async () => {
    const consumers = new Map(
      knownChain().transactions.flatMap((one) =>
        one.inMessage?.source === undefined ? [] : [[Buffer.from(one.inMessage.hash).toString("hex"), one] as const],
      ),
    );
    const sent = internalMessages();
    const arrived = sent.filter(({ message }) => consumers.has(Buffer.from(message.hash).toString("hex")));
    expect(arrived.length).toBeGreaterThan(300);
    for (const one of arrived.slice(0, 200)) {
      const source = await resultOf(service.url, "tryLocateSourceTx", messageKey(one.message));
      const result = await resultOf(service.url, "tryLocateResultTx", messageKey(one.message));
      expect(source.transaction_id.hash).toBe(Buffer.from(one.sentBy.id.hash).toString("base64"));
      const consumer = consumers.get(Buffer.from(one.message.hash).toString("hex"));
      expect(result.transaction_id.hash).toBe(Buffer.from(consumer?.id.hash ?? []).toString("base64"));
      expect(result.in_msg?.hash).toBe(Buffer.from(one.message.hash).toString("base64"));
    }
  });

  test("distinguish a waiting message from one that does not exist", async () => {
    const waiting = internalMessages().find(({ message }) => knownChain().reader.findReceiver(message) === undefined);
    if (waiting === undefined) throw new Error("the chain ends with messages in its queues");
    const found = await ask(service.url, "tryLocateResultTx", messageKey(waiting.message));
    expect(found.body).toMatchObject({
      code: 404,
      error: "transaction was not found: the message is known and still waits in a queue, try again later",
    });
    for (const id of ["tryLocateResultTx", "tryLocateSourceTx"] as const) {
      const { body } = await ask(service.url, id, { ...messageKey(waiting.message), created_lt: String(waiting.sentBy.id.lt) });
      expect(body).toMatchObject({ code: 404, error: "transaction was not found: the source account sent no such message" });
    }
  });

  test("report a logical time past the head as not known yet", async () => {
    const [message] = internalMessages();
    if (message === undefined) throw new Error("the chain has messages");
    for (const id of ["tryLocateResultTx", "tryLocateSourceTx"] as const) {
      const { body } = await ask(service.url, id, { ...messageKey(message.message), created_lt: "9223372036854775807" });
      expect(body).toMatchObject({
        code: 404,
        error: "transaction was not found: created_lt is past the head, so that such a message may still be sent",
      });
    }
  });

  test("report that an external message has no source transaction", async () => {
    const { body } = await ask(service.url, "tryLocateSourceTx", {
      source: "",
      destination: busiestAddress(),
      created_lt: "0",
    });
    expect(body).toMatchObject({
      code: 404,
      error: 'transaction was not found: a message from outside the chain (source "") has no source transaction',
    });
  });
});
