import { describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();

const shard = "-9223372036854775808";

describe("an invalid request", () => {
  test("does not echo an API key in the wrong place", async () => {
    const secret = "s".repeat(43);
    const { body } = await ask(service.url, "getAddressInformation", { address: `cq_0123456789ab_${secret}` });
    expect(body.error).toMatch(/^address: got "cq_0123456789ab_…+, expected /);
    expect(body.error).not.toContain("sss");
  });
});

describe("@extra", () => {
  test("is returned from the query or the body, in successes and failures", async () => {
    const extras = [
      await ask(service.url, "getMasterchainInfo", { "@extra": "mine" }),
      await ask(service.url, "getConsensusBlock", { "@extra": "mine" }),
      await ask(service.url, "getTransactionsStd", { address: `0:${"17".repeat(32)}`, "@extra": "mine" }),
      await ask(service.url, "getTransactionsStd", { address: "x", "@extra": "mine" }),
      await ask(service.url, "getConsensusBlock", { x: 1, "@extra": "mine" }),
      await ask(service.url, "lookupBlock", { workchain: 5, shard, seqno: 1, "@extra": "mine" }),
    ].map(({ body }) => body["@extra"]);
    expect(extras).toEqual(extras.map(() => "mine"));
    const unknown = await fetch(`${service.url}/nowhere?${new URLSearchParams({ "@extra": "mine" })}`);
    expect(await unknown.json()).toMatchObject({ "@extra": "mine" });
  });

  test("may be any text", async () => {
    for (const text of ["", "é💥\u2028", '"\\\u0000\n', "\ud800", "x".repeat(5000)]) {
      expect((await ask(service.url, "getConsensusBlock", { "@extra": text })).body["@extra"]).toBe(text);
    }
    expect(
      (await ask(service.url, "getTransactionsStd", { address: `0:${"17".repeat(32)}`, "@extra": "é💥" })).body["@extra"],
    ).toBe("é💥");
  });

  test("defaults to time, node and seconds taken", async () => {
    const { body } = await ask(service.url, "getMasterchainInfo");
    expect(body["@extra"]).toMatch(/^\d{10}:0:\d+\.\d{3}$/);
    expect(Math.abs(Number(body["@extra"]?.slice(0, 10)) - Date.now() / 1000)).toBeLessThan(60);
  });
});
