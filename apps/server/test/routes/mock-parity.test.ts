/** The mock and the service respond alike at the edges of HTTP. Each row is sent to both, byte by byte. */
import { type Mock, startMock } from "@chain-query/mock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendRaw } from "../fixtures/ask.ts";
import { alike, type Bytes, different, ofContractOnly } from "../fixtures/edge-requests.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();
const serviceOfContract = sharedService({ contractOnly: true });
let [mock, mockOfContract]: Mock[] = [];
beforeAll(async () => {
  mock = await startMock();
  mockOfContract = await startMock({ contractOnly: true });
});
afterAll(() => Promise.all([mock?.close(), mockOfContract?.close()]));

interface Outcome {
  /** Statuses, interim ones first, then reason, input, Allow and Accept-Encoding if there are any. */
  readonly brief: string;
  readonly error: string;
  /** Content-Type, Access-Control-Allow-Methods, Cache-Control and chain-head. */
  readonly headers: readonly (string | undefined)[];
  /** What the response to a call returns, and the @extra of a failure. */
  readonly members: readonly unknown[];
}

async function outcomeOf(port: number, request: Bytes): Promise<Outcome> {
  const answer = await sendRaw(port, request);
  const statuses = Array.from(answer.matchAll(/^HTTP\/1\.1 (\d+)/gm), ([, status]) => status);
  const final = answer.slice(answer.lastIndexOf("HTTP/1.1 "));
  const end = final.indexOf("\r\n\r\n");
  const [headers, body] = [final.slice(0, end), final.slice(end + 4)];
  const header = (name: string) => new RegExp(`^${name}: ([^;\r]*)`, "im").exec(headers)?.[1];
  const type = header("content-type");
  const json = type === "application/json" && body ? JSON.parse(body) : {};
  const { reason, input, error = "", jsonrpc, id, "@extra": extra } = json;
  const told = [...statuses, reason, input, header("allow"), header("accept-encoding")];
  return {
    brief: told.filter((each) => each !== undefined).join(" ") || "nothing",
    // The two chains have heads of their own.
    error: error.replace(/(?<=the head of this node is )\d+/, "N"),
    headers: [type, header("access-control-allow-methods"), header("cache-control"), header("chain-head")?.replace(/\d+/, "N")],
    // Fastify leaves an escape as it is that is not UTF-8.
    members: [jsonrpc, id, /^\d+:0:/.test(extra) ? undefined : extra?.replace("%ff", "\uFFFD")],
  };
}

const outcomesOf = (request: Bytes, contractOnly = false) => {
  const pair = contractOnly ? [mockOfContract, serviceOfContract] : [mock, service];
  return Promise.all(pair.map((one) => outcomeOf(Number(new URL(String(one?.url)).port), request)));
};

const rows = [alike, ofContractOnly].flatMap((table) =>
  Object.entries(table).flatMap(([outcome, group]) =>
    group.map(([what, request]) => ({ what, outcome, request, contractOnly: table === ofContractOnly })),
  ),
);

test.for(rows)("$what is $outcome, contract only: $contractOnly", async ({ outcome, request, contractOnly }) => {
  const [ofMock, ofService] = await outcomesOf(request, contractOnly);
  const told = ({ brief, error }: Outcome) => (outcome.includes(": ") ? `${brief}: ${error}` : brief);
  expect([ofMock, ofService].map((each) => each && told(each))).toEqual([outcome, outcome]);
  expect(ofService).toEqual(ofMock);
});

test.for(different)("%s is not alike, on purpose", async ([, request, ...expected]) => {
  const outcomes = await outcomesOf(request);
  expect(outcomes.map(({ brief }) => brief)).toEqual(expected);
});
