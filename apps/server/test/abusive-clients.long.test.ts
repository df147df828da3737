/** Well-behaved callers get correct responses while other clients abuse the service. */

import { execFileSync } from "node:child_process";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { type Abuse, dripping, idling, largeBodies, largeHeaders } from "./fixtures/abusive-clients.ts";
import { startCallers } from "./fixtures/callers.ts";
import { startService } from "./fixtures/service.ts";

/** A quarter of the limit of open files, since both ends of a connection are in this process. */
const fileLimit = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" })) || 100_000;
const maxConnections = Math.floor(fileLimit / 4);

/** Expects 100 correct responses to other callers while the abuse grows to a number of connections or requests. */
async function expectAnswersDuring(startAbuse: (port: number) => Promise<Abuse>, minimumSize: number): Promise<void> {
  await using service = await startService();
  const callers = startCallers(service.url, { count: 4 });
  using abuse = await startAbuse(service.port);
  const before = callers.seen().answered;
  await until(() => (callers.seen().answered > before + 100 && abuse.size() >= minimumSize) || undefined);
  const { wrong, cut: unanswered } = await callers.stop();
  expect({ wrong, unanswered }).toEqual({ wrong: [], unanswered: 0 });
}

describe("callers are answered", () => {
  test.each([
    ["while thousands of connections are idle", idling, Math.min(2000, maxConnections)],
    ["while a thousand requests arrive byte by byte", dripping, Math.min(1000, maxConnections)],
  ] as const)("%s", async (_, abuse, most) => {
    await expectAnswersDuring((port) => abuse(port, most), most);
  });

  test.each([
    ["while bodies of two megabytes arrive", largeBodies],
    ["while headers of a megabyte arrive", largeHeaders],
  ] as const)("%s", async (_, abuse) => {
    // More than one from each connection.
    const connections = 4;
    await expectAnswersDuring((port) => abuse(port, connections), 20);
  });
});
