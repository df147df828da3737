import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startMock } from "@chain-query/mock";
import { sharedFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/index.ts";
import { transactions } from "../fake-service/chain.ts";
import { conformingService, HttpError, page, type Reply } from "../fake-service/conforming.ts";
import { faults } from "../fake-service/faults/all.ts";
import { freeUrl, listening, serve } from "../fake-service/serve.ts";
import { expectError, invoke as run } from "./invoke.ts";

const fast = ["--requests-per-second", "0", "--seed", "1"];

const folder = sharedFolder();

describe("a service that conforms", () => {
  test("the mock passes examples, in a table by operation", async () => {
    await using mock = await startMock();
    const { code, stdout, stderr } = await run([mock.url, "--fuzz", "0", ...fast]);
    expect([code, stderr], stdout).toEqual([0, ""]);
    expect(stdout).toMatch(/^operation +passed +failed +not applicable\ngetAddressInformation +\d+ +0 +0\n/);
    expect(stdout).toMatch(/examples: \d{3} passed, 0 failed, 0 not applicable \(\d+ requests, [\d.]+ s, seed 1\)\n$/);
  });

  test("a consistent service passes live, without a request rate on this machine", async () => {
    await using service = await serve(conformingService());
    const { code, stdout, stderr } = await run([service.url, "--profile", "live", "--seed", "1"]);
    expect([code, stderr], stdout).toEqual([0, ""]);
  });

  test("a node that keeps recent history only passes live", async () => {
    const right = conformingService();
    const lts = transactions.map(({ transaction_id }) => BigInt(transaction_id.lt)).sort((a, b) => Number(a - b));
    const reach = lts[Math.floor(lts.length / 2)] ?? 0n;
    const handlers = {
      ...right.handlers,
      getTransactionsStd(input: Record<string, unknown>) {
        if (input["archival"] !== true && BigInt(String(input["lt"] ?? reach)) < reach)
          throw new HttpError(500, `lt ${input["lt"]} is not in this node's history, use archival=true to reach it`);
        return page(input);
      },
    };
    await using service = await serve({ ...right, handlers });
    const { code, stdout } = await run([service.url, "--profile", "live", "--only", "getTransactionsStd", ...fast]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/ 0 failed, 0 not applicable/);
  });

  test("--only sends requests of that operation only", async () => {
    await using mock = await startMock();
    const { code, stdout } = await run([mock.url, "--only", "getConsensusBlock", "--fuzz", "0", ...fast]);
    expect(code, stdout).toBe(0);
    const requested = new Set(mock.requests.map(({ path }) => path.split("/").at(-1)));
    // The first request checks that this is the API.
    expect([...requested].sort()).toEqual(["getConsensusBlock", "getMasterchainInfo"]);
  });
});

describe("a service that deviates", () => {
  test("is reported with request, expected, got and decision, in every form, without the key", async () => {
    const wrong = faults.find(({ caughtBy }) => caughtBy === "responses/fee");
    await using service = await serve(wrong?.make() ?? conformingService());
    const files = { junit: join(folder, "report.xml"), json: join(folder, "report.json") };
    const reports = Object.entries(files).flatMap(([form, file]) => ["--report", `${form}=${file}`]);
    const { code, stdout } = await run(
      [service.url, "--profile", "live", "--only", "getTransactionsStd", ...fast, ...reports],
      { CHAIN_API_KEY: "s3cret-key" },
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      "FAILED responses/fee of getTransactionsStd: fee is storage_fee + other_fee (D-28 Arithmetic of fees)\n  request   curl -sS ",
    );
    expect(stdout).toContain('-H "X-API-Key: $CHAIN_API_KEY"');
    expect(stdout).toMatch(
      /\n {2}expected {2}\/result\/transactions\/0\/fee: "\d+", storage_fee \+ other_fee \(D-28\)\n {2}got {7}"\d+"\n/,
    );

    const texts = await Promise.all(Object.values(files).map((file) => readFile(file, "utf8")));
    const [junit = "", json = ""] = texts;
    const report: Report = JSON.parse(json);
    expect(report.totals.failed).toBe(report.results.filter(({ outcome }) => outcome === "failed").length);
    expect(junit).toContain(`failures="${report.totals.failed}"`);
    expect(junit).toContain('<testcase classname="getTransactionsStd" name="responses/fee"');
    for (const text of [stdout, ...texts]) expect(text).not.toContain("s3cret-key");
  });

  test("a failing random request is shrunk and can be repeated", async () => {
    const wrong = faults.find(({ caughtBy }) => caughtBy === "fuzz/lookupBlock/valid");
    await using service = await serve(wrong?.make() ?? conformingService());
    const { code, stdout } = await run([service.url, "--only", "lookupBlock", "--fuzz", "300", ...fast]);
    expect(code).toBe(1);
    const [, line = ""] = /FAILED fuzz\/lookupBlock\/valid[^\n]*\n {2}request {3}([^\n]*)/.exec(stdout) ?? [];
    expect(line).toMatch(/^curl -sS -X POST .*"workchain":"?-?2"?\D/);
    expect(stdout).toContain("again with --fuzz 300 --seed 1");
  });
});

describe("a service that stops answering", () => {
  async function runUntil(answers: number, requests: number, after: (reply: Reply) => Reply): Promise<void> {
    let received = 0;
    const finish = (reply: Reply): Reply => (++received <= answers ? reply : after(reply));
    await using service = await serve({ ...conformingService(), finish });
    const { code, stdout } = await run([service.url, "--profile", "live", ...fast]);
    expect(stdout).toMatch(
      /\nInterrupted because http:\S+ no longer answers: the report contains only what was found until then\.\n/,
    );
    expect(stdout).toMatch(/[1-9]\d* passed/);
    expect([code, received], stdout).toEqual([1, answers + requests]);
  }

  test("ends the run after five requests without a response", async () => {
    // The first is repeated, because its connection may have been closed for its age.
    await runUntil(20, 5 + 1, (reply) => ({ ...reply, status: 0 }));
  });

  test("ends the run after five requests that are rejected with 429 until their retries are used up", async () => {
    const busy = { status: 429, headers: { "retry-after": "0" }, body: { ok: false, error: "too many", code: 429 } };
    await runUntil(20, 5 * 6, (reply) => ({ ...reply, ...busy }));
  });
});

test("a run with a request rate prints its length in one line if stderr is no terminal", async () => {
  await using service = await serve(conformingService());
  const { stderr } = await run([service.url, "--only", "getMasterchainInfo", "--requests-per-second", "500"]);
  expect(stderr).toMatch(/^about \d+ requests at 500 per second\n$/);
});

describe("errors", () => {
  test("no service at the URL", async () => {
    await expectError([await freeUrl()], /cannot be reached: .*ECONNREFUSED/);
  });

  test("another service at the URL", async () => {
    await using server = await listening((_, response) => response.end("<html>"));
    await expectError([server.url], /is not this API: it responds with 200 without a content type/);
    await using mock = await startMock();
    await expectError([`${mock.url}/elsewhere`], /is not this API: it responds with 404/);
  });

  test("a key that the service rejects", async () => {
    await using mock = await startMock();
    mock.override("getMasterchainInfo", 401);
    await expectError([mock.url, "--api-key", "k"], /does not accept the key: it responds with 401/);
  });

  test("a report in a folder that does not exist", async () => {
    await expectError(["http://host", "--report", "json=/missing/x.json"], /the folder "\/missing" does not exist/);
  });
});
