/** Well-behaved callers get correct responses while other clients abuse the service. */

import { execFileSync } from "node:child_process";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { dripping, idling } from "./fixtures/abusive-clients.ts";
import { startCallers } from "./fixtures/callers.ts";
import { startService } from "./fixtures/service.ts";

/** A quarter of the limit of open files, since both ends of a connection are in this process. */
const fileLimit = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" })) || 100_000;
const maxConnections = Math.floor(fileLimit / 4);

test.each([
  ["thousands of connections are idle", idling, Math.min(2000, maxConnections)],
  ["a thousand requests arrive byte by byte", dripping, Math.min(1000, maxConnections)],
] as const)("callers are answered while %s", async (_, startAbuse, most) => {
  await using service = await startService();
  const callers = startCallers(service.url, { count: 4 });
  using abuse = await startAbuse(service.port, most);
  const before = callers.seen().answered;
  await until(() => callers.seen().answered > before + 100 && abuse.size() >= most);
  const { wrong, cut: unanswered } = await callers.stop();
  expect({ wrong, unanswered }).toEqual({ wrong: [], unanswered: 0 });
});
