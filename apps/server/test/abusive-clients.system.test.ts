/** Other callers get correct answers while some clients abuse the service. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { type Abuse, dripping, idling, largeBodies, largeHeaders } from "../bench/abusive-clients.ts";
import { until } from "./fixtures/ask.ts";
import { startCallers } from "./fixtures/callers.ts";
import { startService } from "./fixtures/service.ts";

/** A quarter of the limit on open files: both ends of a connection are in this process, and the service has other files open. */
const fileLimit = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" })) || 100_000;
const maxConnections = Math.floor(fileLimit / 4);

/** Expects 200 correct answers to other callers while the abuse grows to a number of connections or requests. */
async function expectAnswersDuring(startAbuse: (port: number) => Promise<Abuse>, minimumSize: number): Promise<void> {
  await using service = await startService();
  const callers = startCallers(service.url, { count: 4 });
  using abuse = await startAbuse(service.port);
  const before = callers.seen().answered;
  await until(() => (callers.seen().answered > before + 200 && abuse.size() >= minimumSize) || undefined);
  const { wrong, cut: unanswered } = await callers.stop();
  expect({ wrong, unanswered }).toEqual({ wrong: [], unanswered: 0 });
}

describe("callers are answered", () => {
  test("while thousands of connections are idle", async () => {
    const connections = Math.min(2000, maxConnections);
    await expectAnswersDuring((port) => idling(port, connections), connections);
  });

  test("while a thousand requests arrive byte by byte", async () => {
    const requests = Math.min(1000, maxConnections);
    await expectAnswersDuring((port) => dripping(port, requests), requests);
  });

  test("while bodies of two megabytes arrive", async () => {
    const [connections, requests] = [4, 20];
    await expectAnswersDuring((port) => largeBodies(port, connections), requests);
  });

  test("while headers of a megabyte arrive", async () => {
    const [connections, requests] = [4, 20];
    await expectAnswersDuring((port) => largeHeaders(port, connections), requests);
  });
});
