import { type Mock, startMock } from "@chain-query/mock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();
let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

const address = "EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH";

interface Refused {
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
}

async function refusal(url: string, { path, body, type = "application/json" }: Refused): Promise<unknown> {
  const post = body === undefined ? {} : { method: "POST", headers: { "content-type": type }, body };
  const response = await fetch(`${url}/api/v2/${path}`, post);
  const { ok, error, code } = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, ok, error, code };
}

test.for<Refused>([
  { path: "getAddressInformation", body: "{}" },
  { path: "getAddressInformation", body: `{"address":"${address.replace("H", "J")}"}` },
  { path: "getAddressInformation", body: `{"address":"2147483648:${"0".repeat(64)}"}` },
  { path: "getAddressInformation", body: `{"address":"${address}","surplus":1}` },
  { path: "getAddressInformation", body: '{"address":{"toString":null}}' },
  { path: "lookupBlock", body: '{"workchain":0,"shard":"1"}' },
  { path: "lookupBlock", body: '{"workchain":0,"shard":"1","seqno":1,"lt":"1"}' },
  { path: "lookupBlock", body: '{"workchain":0,"shard":"1","lt":"9223372036854775808"}' },
  { path: "lookupBlock", body: "[]" },
  { path: "lookupBlock", body: "{bad" },
  { path: "lookupBlock", body: "" },
  { path: "lookupBlock", body: new Uint8Array([0x7b, 0xff, 0x7d]) },
  { path: "lookupBlock", body: "{}", type: "text/plain" },
  { path: "lookupBlock", body: "x".repeat(64 * 1024 + 1) },
  { path: "getTransactionsStd" },
  { path: `getTransactionsStd?address=${address}&limit=0` },
  { path: `getTransactionsStd?address=${address}&limit=1&limit=2` },
  { path: `getTransactionsStd?address=${address}&lt=5` },
  { path: `getTransactionsStd?address=${address}&archival=maybe` },
])("the service refuses %j in the words of the mock", async (request) => {
  const expected = await refusal(mock.url, request);
  expect(expected).toMatchObject({ ok: false });
  expect(await refusal(service.url, request)).toEqual(expected);
});
