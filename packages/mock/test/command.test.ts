import { CommandLineError } from "@chain-query/command-line";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parseArguments, type ServeCommand } from "../src/command/arguments.ts";
import { curlLines, loggers, startMessages } from "../src/command/output.ts";

function serveCommand(...args: string[]): ServeCommand {
  const parsed = parseArguments(args);
  return "options" in parsed ? parsed : expect.unreachable();
}

function textOf(...args: string[]): string {
  const parsed = parseArguments(args);
  return "text" in parsed ? parsed.text : expect.unreachable();
}

describe("parseArguments", () => {
  test("has defaults for all options", () => {
    expect(serveCommand()).toEqual({
      options: {
        ...{ port: 4010, host: "127.0.0.1", dynamic: false, seed: 1, latency: [0, 0], fail: [], drop: 0, rateLimit: false },
        ...{ keepRequests: 0, contractOnly: false },
      },
      output: "lines",
    });
  });

  test("reads every option", () => {
    const args = ["--port=0", "--host=0.0.0.0", "--dynamic", "--seed=7", "--latency=50..200", "--drop=0.01", "--rate-limit"];
    const { options } = serveCommand(...args, "--fail=0.05=503", "--fail", "0.1=500", "--api-keys=a,b");
    expect(options).toMatchObject({
      ...{ port: 0, host: "0.0.0.0", dynamic: true, seed: 7, latency: [50, 200], drop: 0.01, rateLimit: true },
      fail: [
        { rate: 0.05, status: 503 },
        { rate: 0.1, status: 500 },
      ],
      apiKeys: ["a", "b"],
    });
    expect(serveCommand("--latency", "50", "--rate-with-key", "10").options).toMatchObject({
      latency: [50, 50],
      rateLimit: { withKey: 10 },
    });
    expect([serveCommand("--quiet").output, serveCommand("--json").output]).toEqual(["quiet", "json"]);
  });

  test.for<[args: string[], error: string]>([
    [["--port", "65536"], '--port: expected a whole number from 0 to 65535, got "65536"'],
    [["--prot", "1"], "--prot: not an option of chain-query-mock; expected --port, --host"],
    [["--latency", "200..50"], '--latency: expected milliseconds from 0 to 600000, the lower bound first, got "200..50"'],
    [["--latency", "1..2..3"], "--latency: expected milliseconds"],
    [["--latency", "soon"], "--latency: expected milliseconds"],
    [["--fail", "0.05"], '--fail: expected a share from 0 to 1 and a status from 400 to 599, got "0.05"'],
    [["--fail", "1=200"], "--fail: expected a share"],
    [["--fail", "0.6=500", "--fail", "0.6=503"], "--fail: expected shares that add up to 1 at most, got 1.2"],
    [["--drop", "2"], '--drop: expected a share from 0 to 1, got "2"'],
    [["--rate-with-key", "0"], '--rate-with-key: expected a whole number from 1 to 1000000, got "0"'],
    [["--api-keys", "a,,secret"], "--api-keys: expected one or more keys of visible ASCII characters"],
    [["--quiet", "--json"], "--quiet and --json exclude each other; expected one of them"],
    [["--host", ""], '--host: expected an address, got ""'],
  ])("rejects %j", ([args, error]) => {
    try {
      parseArguments(args);
      expect.unreachable();
    } catch (caught) {
      if (!(caught instanceof CommandLineError)) throw caught;
      expect(caught.message).toContain(error);
      expect(caught.message).not.toMatch(/\n|secret/);
    }
  });

  test("has a help that fits a screen", () => {
    const lines = textOf("--help").split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});

const request = { method: "GET", path: "/api/v2/getTransactionsStd", query: { address: "a b" }, headers: {} };
const entry = { time: new Date("2026-11-22T10:20:30.456Z"), request, status: 200, ms: 12.3456 };

afterEach(() => {
  vi.restoreAllMocks();
});

test("startMessages are the URL alone, a text with curl commands, or JSON", () => {
  const url = "http://127.0.0.1:4010";
  expect(startMessages.quiet(url)).toBe(url);
  expect(startMessages.lines(url)).toContain(`The mock listens at ${url} until Ctrl-C.`);
  expect(startMessages.lines(url).match(/^curl /gm)).toHaveLength(8);
  expect(JSON.parse(startMessages.json(url))).toMatchObject({ url });
});

test("curlLines quote a query and a body for the shell", () => {
  const lines = curlLines("http://mock");
  expect(lines).toContain("curl http://mock/api/v2/getMasterchainInfo");
  expect(lines.find((line) => line.includes("/getTransactionsStd"))).toMatch(/^curl 'http:\/\/mock\/[^']+\?[^']+&[^']+'$/);
  expect(lines.find((line) => line.includes("/lookupBlock"))).toMatch(/ -H 'content-type: application\/json' -d '\{[^']+\}'$/);
});

test("loggers print a line of text or of JSON for each request, or nothing", () => {
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
