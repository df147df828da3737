/** The mock and the service respond alike at the edges of HTTP. Each row is sent to both, byte by byte. */
import { type Mock, startMock } from "@chain-query/mock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendRaw } from "../fixtures/ask.ts";
import { alike, type Bytes, different } from "../fixtures/edge-requests.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();
let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

interface Outcome {
  /** Statuses, interim ones first, then reason, input, Allow and Accept-Encoding if there are any. */
  readonly brief: string;
  readonly error: string;
  /** Content-Type and Access-Control-Allow-Methods. */
  readonly headers: readonly (string | undefined)[];
}

async function outcomeOf(port: number, request: Bytes): Promise<Outcome> {
  const answer = await sendRaw(port, request);
  const statuses = Array.from(answer.matchAll(/^HTTP\/1\.1 (\d+)/gm), ([, status]) => status);
  const final = answer.slice(answer.lastIndexOf("HTTP/1.1 "));
  const end = final.indexOf("\r\n\r\n");
  const [headers, body] = [final.slice(0, end), final.slice(end + 4)];
  const header = (name: string) => new RegExp(`^${name}: ([^;\r]*)`, "im").exec(headers)?.[1];
  const type = header("content-type");
  const { reason, input, error = "" } = type === "application/json" && body ? JSON.parse(body) : {};
  const told = [...statuses, reason, input, header("allow"), header("accept-encoding")];
  return {
    brief: told.filter((each) => each !== undefined).join(" ") || "nothing",
    // The two chains have heads of their own.
    error: error.replace(/(?<=the head of this node is )\d+/, "N"),
    headers: [type, header("access-control-allow-methods")],
  };
}

const outcomesOf = (request: Bytes) =>
  Promise.all([new URL(mock.url).port, service.port].map((port) => outcomeOf(Number(port), request)));

const rows = Object.entries(alike).flatMap(([outcome, group]) => group.map(([what, request]) => ({ what, outcome, request })));

test.for(rows)("$what is $outcome", async ({ outcome, request }) => {
  const [ofMock, ofService] = await outcomesOf(request);
  const told = ({ brief, error }: Outcome) => (outcome.includes(": ") ? `${brief}: ${error}` : brief);
  expect([ofMock, ofService].map((each) => each && told(each))).toEqual([outcome, outcome]);
  expect([ofService?.headers, ofService?.error]).toEqual([ofMock?.headers, ofMock?.error]);
});

test.for(different)("%s is not alike, on purpose", async ([, request, ...expected]) => {
  const outcomes = await outcomesOf(request);
  expect(outcomes.map(({ brief }) => brief)).toEqual(expected);
});
