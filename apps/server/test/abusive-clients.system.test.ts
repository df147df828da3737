/** Other callers get correct answers while some clients abuse the service. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { type Abuse, dripping, idling, largeBodies, largeHeaders } from "../bench/abusive-clients.ts";
import { until } from "./fixtures/ask.ts";
import { startCallers } from "./fixtures/callers.ts";
import { startService } from "./fixtures/service.ts";

/** Both ends of a connection are in this process, and other open files need some of the limit as well. */
const fileLimit = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" })) || 100_000;
const maxConnections = Math.floor(fileLimit / 4);

async function answerDuring(abuse: (port: number) => Promise<Abuse>, size: number): Promise<void> {
  await using service = await startService();
  const callers = startCallers(service.url, { count: 4 });
  using running = await abuse(service.port);
  const before = callers.seen().answered;
  await until(() => (callers.seen().answered > before + 200 && running.size() >= size) || undefined);
  const { wrong, cut } = await callers.stop();
  expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
}

describe("callers are answered", () => {
  test("while thousands of connections are idle", async () => {
    const count = Math.min(2000, maxConnections);
    await answerDuring((port) => idling(port, count), count);
  });

  test("while a thousand requests arrive byte by byte", async () => {
    const count = Math.min(1000, maxConnections);
    await answerDuring((port) => dripping(port, count), count);
  });

  test("while bodies of two megabytes arrive", () => answerDuring((port) => largeBodies(port, 4), 20));

  test("while headers of a megabyte arrive", () => answerDuring((port) => largeHeaders(port, 4), 20));
});
