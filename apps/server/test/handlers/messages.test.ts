import { describe, expect, test } from "vitest";
import { ask, resultOf } from "../ask.ts";
import { internalMessages, rawOf } from "../known.ts";
import { overChain } from "../over-chain.ts";

const over = overChain();

const nobody = { workchain: 0, hash: new Uint8Array(32) };
const keyOf = ({ message }: ReturnType<typeof internalMessages>[number]) => ({
  source: rawOf(message.source ?? nobody),
  destination: rawOf(message.destination ?? nobody),
  created_lt: String(message.createdLt),
});

describe("tryLocateSourceTx and tryLocateResultTx", () => {
  test("find both transactions of a message", async () => {
    const consumers = new Map(
      over.chain.transactions.flatMap((one) =>
        one.inMessage?.source === undefined ? [] : [[Buffer.from(one.inMessage.hash).toString("hex"), one] as const],
      ),
    );
    const sent = internalMessages(over.chain);
    const arrived = sent.filter(({ message }) => consumers.has(Buffer.from(message.hash).toString("hex")));
    expect(arrived.length).toBeGreaterThan(300);
    for (const one of arrived.slice(0, 200)) {
      const source = await resultOf(over.url, "tryLocateSourceTx", keyOf(one));
      const result = await resultOf(over.url, "tryLocateResultTx", keyOf(one));
      expect(source.transaction_id.hash).toBe(Buffer.from(one.sentBy.id.hash).toString("base64"));
      const consumer = consumers.get(Buffer.from(one.message.hash).toString("hex"));
      expect(result.transaction_id.hash).toBe(Buffer.from(consumer?.id.hash ?? []).toString("base64"));
      expect(result.in_msg?.hash).toBe(Buffer.from(one.message.hash).toString("base64"));
    }
  });

  test("tell a message that waits from one that does not exist", async () => {
    const waiting = internalMessages(over.chain).find(({ message }) => {
      const { source = nobody, destination = nobody, createdLt } = message;
      return over.chain.reader.locate({ source, destination, createdLt }).consumer === undefined;
    });
    if (waiting === undefined) throw new Error("the chain ends with messages in its queues");
    const found = await ask(over.url, "tryLocateResultTx", keyOf(waiting));
    expect(found.body).toMatchObject({
      code: 404,
      error: "transaction was not found: the message is known and still waits in a queue, try again later",
    });
    for (const id of ["tryLocateResultTx", "tryLocateSourceTx"] as const) {
      const { body } = await ask(over.url, id, { ...keyOf(waiting), created_lt: String(waiting.sentBy.id.lt) });
      expect(body).toMatchObject({ code: 404, error: "transaction was not found: the source account sent no such message" });
    }
  });

  test("say of a logical time past the head that nobody can know yet", async () => {
    const [message] = internalMessages(over.chain);
    if (message === undefined) throw new Error("the chain has messages");
    for (const id of ["tryLocateResultTx", "tryLocateSourceTx"] as const) {
      const { body } = await ask(over.url, id, { ...keyOf(message), created_lt: "9223372036854775807" });
      expect(body).toMatchObject({
        code: 404,
        error: "transaction was not found: created_lt is past the head, so that such a message may still be sent",
      });
    }
  });

  test("say of a message from outside that it has no source", async () => {
    const { body } = await ask(over.url, "tryLocateSourceTx", {
      source: "",
      destination: rawOf(over.chain.transactions[0]?.account ?? nobody),
      created_lt: "0",
    });
    expect(body).toMatchObject({
      code: 404,
      error: 'transaction was not found: a message from outside the chain (source "") has no source transaction',
    });
  });
});
