import { afterEach, describe, expect, test, vi } from "vitest";
import { curlLines, loggers, startMessages } from "../../src/command/output.ts";

const request = { method: "GET", path: "/api/v2/getTransactionsStd", query: { address: "a b" }, headers: {} };
const entry = { time: new Date("2026-11-22T10:20:30.456Z"), request, status: 200, ms: 12.3456 };

afterEach(() => {
  vi.restoreAllMocks();
});

describe("startMessages", () => {
  test("are the URL alone, a text with curl commands, or JSON", () => {
    const url = "http://127.0.0.1:4010";
    expect(startMessages.quiet(url)).toBe(url);
    expect(startMessages.lines(url)).toContain(`The mock answers at ${url} until Ctrl-C.`);
    expect(startMessages.lines(url).match(/^curl /gm)).toHaveLength(8);
    expect(JSON.parse(startMessages.json(url))).toMatchObject({ url });
  });
});

describe("curlLines", () => {
  test("quote a query and a body for the shell", () => {
    const lines = curlLines("http://mock");
    expect(lines).toContain("curl http://mock/api/v2/getMasterchainInfo");
    expect(lines.find((line) => line.includes("/getTransactionsStd"))).toMatch(/^curl 'http:\/\/mock\/[^']+\?[^']+&[^']+'$/);
    expect(lines.find((line) => line.includes("/lookupBlock"))).toMatch(
      / -H 'content-type: application\/json' -d '\{[^']+\}'$/,
    );
  });
});

describe("loggers", () => {
  test("print a line of text or of JSON for each request, or nothing", () => {
    const print = vi.spyOn(console, "log").mockReturnValue();
    const withKey = { ...request, headers: { "x-api-key": "[redacted]" } };
    loggers.lines.log?.(entry);
    loggers.lines.log?.({ ...entry, status: 0, ms: 0.4 });
    loggers.json.log?.({ ...entry, request: withKey });
    loggers.json.log?.({ ...entry, status: 0 });
    expect(loggers.quiet).toEqual({});
    const [line, dropped, json = "", droppedJson = ""] = print.mock.calls.map(([text]) => String(text));
    expect(line).toBe("10:20:30.456 GET /api/v2/getTransactionsStd?address=a+b 200 12 ms");
    expect(dropped).toMatch(/ dropped 0 ms$/);
    expect(JSON.parse(json)).toEqual({
      ...{ time: "2026-11-22T10:20:30.456Z", method: "GET", path: request.path, query: request.query },
      ...{ key: "[redacted]", status: 200, ms: 12.346 },
    });
    expect(JSON.parse(droppedJson)).toMatchObject({ status: null });
  });
});
