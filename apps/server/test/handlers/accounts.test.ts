import { Address } from "@ton/core";
import { describe, expect, test } from "vitest";
import { ask, resultOf } from "../ask.ts";
import { longest, rawOf } from "../known.ts";
import { overChain } from "../over-chain.ts";

const over = overChain();

describe("getAddressInformation", () => {
  test("tells every account of the chain as the reader knows it", async () => {
    for (const [newest] of over.chain.histories) {
      if (newest === undefined) continue;
      const known = over.chain.reader.account(newest.account);
      expect(await resultOf(over.url, "getAddressInformation", { address: rawOf(newest.account) })).toMatchObject({
        balance: String(known?.balance),
        state: known?.status,
        last_transaction_id: { lt: String(newest.id.lt), hash: Buffer.from(newest.id.hash).toString("base64") },
        code: Buffer.from(known?.code ?? []).toString("base64"),
        sync_utime: over.chain.reader.head().block.time,
      });
    }
  });

  test("reads an address in each of its forms", async () => {
    const [newest] = longest(over.chain);
    const raw = rawOf(newest?.account ?? { workchain: 0, hash: new Uint8Array(32) });
    const address = Address.parseRaw(raw);
    const forms = [
      raw,
      raw.toUpperCase(),
      ...[true, false].flatMap((bounceable) => [true, false].map((urlSafe) => address.toString({ bounceable, urlSafe }))),
    ];
    const answers = await Promise.all(forms.map((form) => resultOf(over.url, "getAddressInformation", { address: form })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.last_transaction_id.lt).toBe(String(newest?.id.lt));
  });

  test("reads as of an earlier masterchain block", async () => {
    const history = longest(over.chain);
    const seqno = 30;
    const { last_transaction_id, block_id } = await resultOf(over.url, "getAddressInformation", {
      address: rawOf(history[0]?.account ?? { workchain: 0, hash: new Uint8Array(32) }),
      seqno: String(seqno),
    });
    const then = history.find(({ masterchainSeqno }) => masterchainSeqno <= seqno);
    expect(last_transaction_id.lt).toBe(String(then?.id.lt));
    expect([block_id.workchain, block_id.seqno]).toEqual([-1, seqno]);
  });

  test("answers an account never seen as uninitialized with nothing", async () => {
    const address = `0:${"17".repeat(32)}`;
    expect(await resultOf(over.url, "getAddressInformation", { address })).toMatchObject({
      balance: "0",
      code: "",
      data: "",
      frozen_hash: "",
      state: "uninitialized",
      extra_currencies: [],
      last_transaction_id: { lt: "0", hash: `${"A".repeat(43)}=` },
    });
  });

  test("fails for a block in the future", async () => {
    const { body } = await ask(over.url, "getAddressInformation", { address: `0:${"17".repeat(32)}`, seqno: "4000000000" });
    expect(body).toMatchObject({ code: 404, error: "block was not found: seqno 4000000000 is past the head, 60" });
    const beyond = await ask(over.url, "getAddressInformation", { address: `0:${"17".repeat(32)}`, seqno: "4294967296" });
    expect(beyond.body).toMatchObject({ code: 422, error: expect.stringContaining("seqno: 4294967296 is out of range") });
  });

  test("tells a frozen account and its hash", async () => {
    const frozen = over.chain.histories
      .map(([newest]) => newest)
      .find((one) => one && over.chain.reader.account(one.account)?.status === "frozen");
    const { state, frozen_hash } = await resultOf(over.url, "getAddressInformation", {
      address: rawOf(frozen?.account ?? { workchain: 0, hash: new Uint8Array(32) }),
    });
    expect(state).toBe("frozen");
    expect(frozen_hash).toMatch(/^.{43}=$/);
  });
});
