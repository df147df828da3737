import { Address } from "@ton/core";
import { describe, expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { busiestAddress, knownChain, longestHistory, rawAddress } from "../fixtures/chain.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();

describe("getAddressInformation", () => {
  test("returns every account of the chain as the reader knows it", async () => {
    let deleted = 0;
    for (const [newest] of knownChain().histories) {
      if (newest === undefined) continue;
      const known = knownChain().reader.account(newest.account);
      const last = known?.last.lt === 0n ? { lt: 0n, hash: new Uint8Array(32) } : newest.id;
      if (last.lt === 0n) deleted++;
      expect(await resultOf(service.url, "getAddressInformation", { address: rawAddress(newest.account) })).toMatchObject({
        balance: String(known?.balance),
        state: known?.status,
        last_transaction_id: { lt: String(last.lt), hash: Buffer.from(last.hash).toString("base64") },
        code: Buffer.from(known?.code ?? []).toString("base64"),
        sync_utime: knownChain().reader.head().block.time,
      });
    }
    expect(deleted).toBeGreaterThan(0);
  });

  test("reads an address in each of its forms", async () => {
    const [newest] = longestHistory();
    const raw = busiestAddress();
    const address = Address.parseRaw(raw);
    const forms = [
      raw,
      raw.toUpperCase(),
      ...[true, false].flatMap((bounceable) => [true, false].map((urlSafe) => address.toString({ bounceable, urlSafe }))),
    ];
    const answers = await Promise.all(forms.map((form) => resultOf(service.url, "getAddressInformation", { address: form })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.last_transaction_id.lt).toBe(String(newest?.id.lt));
  });

  test("reads as of an earlier masterchain block", async () => {
    const seqno = 30;
    const { last_transaction_id, block_id } = await resultOf(service.url, "getAddressInformation", {
      address: busiestAddress(),
      seqno: String(seqno),
    });
    const then = longestHistory().find(({ masterchainSeqno }) => masterchainSeqno <= seqno);
    expect(last_transaction_id.lt).toBe(String(then?.id.lt));
    expect([block_id.workchain, block_id.seqno]).toEqual([-1, seqno]);
  });

  test("returns an unknown account as uninitialized and empty", async () => {
    const address = `0:${"17".repeat(32)}`;
    expect(await resultOf(service.url, "getAddressInformation", { address })).toMatchObject({
      balance: "0",
      code: "",
      data: "",
      frozen_hash: "",
      state: "uninitialized",
      extra_currencies: [],
      last_transaction_id: { lt: "0", hash: `${"A".repeat(43)}=` },
    });
  });

  test("refuses a block past the head", async () => {
    const { body } = await ask(service.url, "getAddressInformation", { address: `0:${"17".repeat(32)}`, seqno: "4000000000" });
    expect(body).toMatchObject({ code: 404, error: "block was not found: seqno 4000000000 is past the head, 60" });
    const beyond = await ask(service.url, "getAddressInformation", { address: `0:${"17".repeat(32)}`, seqno: "4294967296" });
    expect(beyond.body).toMatchObject({ code: 422, error: expect.stringContaining("seqno: 4294967296 is out of range") });
  });

  test("returns a frozen account and its hash", async () => {
    const frozen = knownChain().transactions.find(({ account }) => knownChain().reader.account(account)?.status === "frozen");
    if (frozen === undefined) throw new Error("the chain has a frozen account");
    const address = rawAddress(frozen.account);
    const { state, frozen_hash } = await resultOf(service.url, "getAddressInformation", { address });
    expect(state).toBe("frozen");
    expect(frozen_hash).toMatch(/^.{43}=$/);
  });
});
