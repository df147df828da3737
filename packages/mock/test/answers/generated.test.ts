import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Mock, startMock } from "../../src/index.ts";
import { post } from "../calls.ts";
import { example, send } from "../examples.ts";

const bob = "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz";
const stranger = `0:${"ab".repeat(32)}`;

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

describe("generated answers", () => {
  const body = { address: stranger };

  test("are the same for the same seed and request, after any other requests", async () => {
    await using one = await startMock({ dynamic: true, seed: 7 });
    await using other = await startMock({ dynamic: true, seed: 7 });
    await using another = await startMock({ dynamic: true, seed: 8 });
    await post(other, "lookupBlock", { workchain: 0, shard: "1", seqno: 1 });
    const first = await post(one, "getAddressInformation", body);
    expect(first.body).toMatchObject({ ok: true, result: { "@type": "raw.fullAccountState" } });
    expect((await post(other, "getAddressInformation", body)).body).toEqual(first.body);
    expect((await post(another, "getAddressInformation", body)).body).not.toEqual(first.body);
    expect((await post(one, "getAddressInformation", { address: bob })).body).not.toEqual(first.body);
  });

  test("do not replace documented answers", async () => {
    await using dynamic = await startMock({ dynamic: true });
    const one = example("lookupBlock", "by-lt");
    expect(await (await send(dynamic.url, one)).json()).toEqual(one.response.body);
  });

  test("are turned on by Prefer: dynamic=true, even for a documented request, and off by dynamic=false", async () => {
    const one = example("lookupBlock", "by-lt");
    const made = await send(mock.url, one, { prefer: "dynamic=true" });
    expect(made.status).toBe(200);
    expect(await made.json()).not.toEqual(one.response.body);
    await using dynamic = await startMock({ dynamic: true });
    const response = await post(dynamic, "getAddressInformation", body, { prefer: "dynamic=false" });
    expect(response.body).toEqual(example("getAddressInformation", "active").response.body);
  });

  test("are never failures", async () => {
    const answer = await send(mock.url, example("lookupBlock", "by-lt"), { prefer: "dynamic=true, code=429" });
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toMatchObject({ ok: false, code: 429 });
  });

  test("dynamic=maybe is refused", async () => {
    const { status, body } = await post(mock, "getConsensusBlock", {}, { prefer: "dynamic=maybe" });
    expect(status).toBe(422);
    expect(body.error).toMatch(/dynamic=maybe.*true or false/);
  });
});
