import { type Mock, startMock } from "@chain-query/mock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendRaw } from "../fixtures/ask.ts";
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
  const { "@extra": _, ...failure } = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, ...failure };
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
  { path: "lookupBlock", body: '{"workchain":-1,"shard":"8000000000000000","seqno":1}' },
  { path: "lookupBlock", body: '{"workchain":-1,"shard":8000000000000000,"seqno":1}' },
  { path: "lookupBlock", body: "[]" },
  { path: "lookupBlock", body: "{bad" },
  { path: "lookupBlock", body: "" },
  { path: "lookupBlock", body: new Uint8Array([0x7b, 0xff, 0x7d]) },
  { path: "lookupBlock", body: "{}", type: "text/plain" },
  { path: "lookupBlock", body: "{}", type: ";;;" },
  { path: "lookupBlock", body: `{"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}` },
  { path: "lookupBlock", body: '{"workchain":0,"shard":"1","lt":100000000000000001.0}' },
  { path: "lookupBlock", body: '{"workchain":0,"shard":"1","lt":1e400}' },
  { path: "lookupBlock", body: "x".repeat(64 * 1024 + 1) },
  { path: "getTransactionsStd" },
  { path: `getTransactionsStd?address=${address}&limit=0` },
  { path: `getTransactionsStd?address=${address.replace("_", "+")}` },
  { path: `getTransactionsStd?address=${address}&limit=1&limit=2` },
  { path: `getTransactionsStd?address=${address}&lt=5` },
  { path: `getTransactionsStd?address=${address}&archival=maybe` },
])("the service refuses %j in the words of the mock", async (request) => {
  const expected = await refusal(mock.url, request);
  expect(expected).toMatchObject({ ok: false });
  expect(await refusal(service.url, request)).toEqual(expected);
});

test.for([
  "GET /api/v2/getMasterchainInfo HTTP/1.1\r\nconnection: close\r\n\r\n",
  "BREW / HTTP/1.1\r\nhost: x\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
  `GET / HTTP/1.1\r\nhost: x\r\nx: ${"x".repeat(30_000)}\r\n\r\n`,
])("the service refuses what Node would refuse by itself in the words of the mock: %j", async (text) => {
  const [ofMock, ofService] = await Promise.all(
    [Number(new URL(mock.url).port), service.port].map((port) => sendRaw(port, text)),
  );
  const failureOf = (answer = ""): unknown => {
    const { "@extra": _, ...failure } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
    return { status: answer.slice(0, 12), ...failure };
  };
  expect(failureOf(ofMock)).toMatchObject({ ok: false, error: expect.stringMatching(/./) });
  expect(failureOf(ofService)).toEqual(failureOf(ofMock));
});
