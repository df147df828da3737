/** Requests in progress while a service is stopped by SIGTERM, alone or as one of two processes on a port. */

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { startCallers } from "../fixtures/callers.ts";
import { busiestAddress, copyGrowingChain, testChain } from "../fixtures/chain.ts";
import { isAlive, type RunningCommand, start, startFromShell } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const head = get("/api/v2/getMasterchainInfo");
const posted = "POST /api/v2/getConsensusBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n";
/** Responses of more bytes than the buffers of a connection hold. */
const pages = { count: 100, path: `/api/v2/getTransactionsStd?limit=1000&address=${busiestAddress()}` };

test.concurrent("requests in progress are answered while the service is stopped", async () => {
  using folder = temporaryFolder();
  const flags = ["--port", "0", "--chain", testChain, "--no-produce", "--keys", join(folder.path, "keys")];
  await using command = start(...flags, "--keyless-rate", "0");
  const url = await command.url;
  using clients = new DisposableStack();
  const client = async (): Promise<Client> => {
    const one = connectTo(url);
    clients.defer(() => one.socket.destroy());
    await one.ask(head);
    return one;
  };

  // A client that reads slowly gets whole responses.
  const reader = await client();
  reader.socket.write(get(pages.path).repeat(pages.count));
  await once(reader.socket, "data");
  reader.socket.pause();
  await untilStalled(url);
  // A request whose body arrives slowly is answered, and so is the next one of its connection.
  const writer = await client();
  expect(await writer.ask(`${posted}expect: 100-continue\r\n\r\n`)).toMatch(/^HTTP\/1\.1 100 /);

  const idle = await client();
  command.child.kill("SIGTERM");
  // Idle connections are looked for again and again, from when the service begins to stop.
  await idle.closed;
  writer.socket.write(`{}${head}`);
  // The reader's connection stays although others are closed when they become idle.
  await writer.closed;
  reader.socket.resume();
  await reader.closed;
  expect(writer.text().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 200", "HTTP/1.1 200"]);
  expect(writer.text().match(/"ok":\w+/g)).toEqual(['"ok":true', '"ok":true']);
  const answers = reader.text().split("HTTP/1.1 200 OK\r\n").slice(1);
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.filter((answer) => !isWhole(answer)).length).toBe(0);
  expect((await command.exit).code).toBe(0);
});

test.concurrent("a signal to all processes of a service restarts none of them", async () => {
  using folder = temporaryFolder();
  const flags = ["--chain", await copyGrowingChain(folder.path), "--keyless-rate", "0", "--shutdown-delay", "1h"];
  await using command = startFromShell('exec setsid "$@"', "--port", "0", ...flags);
  const url = await command.url;
  const [producer = 0] = command.pids("producing blocks");
  process.kill(-(command.child.pid ?? 0), "SIGTERM");
  await until(() => !isAlive(producer));
  expect((await fetch(`${url}/api/v2/getMasterchainInfo`)).status).toBe(200);
  command.child.kill("SIGTERM");
  expect((await command.exit).code).toBe(130);
  expect(command.log().filter(({ msg }) => String(msg).includes("died"))).toEqual([]);
});

interface Client {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  /** The data since the last request of `ask`. */
  text(): string;
  /** Sends a request, and returns the first part of the response. */
  ask(request: string): Promise<string>;
}

function connectTo(url: string): Client {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("latin1");
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  return {
    socket,
    closed: once(socket, "close"),
    text: () => text,
    async ask(request) {
      text = "";
      socket.write(request);
      return String(await once(socket, "data"));
    },
  };
}

/** Waits until no more pages are answered. */
async function untilStalled(url: string): Promise<void> {
  let last: string | undefined;
  await until(async () => {
    await sleep(100);
    const metrics = await (await fetch(`${url}/metrics`, { headers: { connection: "close" } })).text();
    const before = last;
    last = /_count{operation="getTransactionsStd",status="200"} \d+/.exec(metrics)?.[0];
    return last !== undefined && last === before;
  });
}

function isWhole(answer: string): boolean {
  const [headers = "", body = ""] = answer.split("\r\n\r\n");
  return body.length === Number(/content-length: (\d+)/.exec(headers)?.[1]);
}

test("two processes share a port, and give eight callers no wrong response while they are restarted in turn", async () => {
  using folder = temporaryFolder();
  const flags = ["--chain", testChain, "--no-produce", "--keys", join(folder.path, "keys"), "--keyless-rate", "0"];
  const startOn = (port: string) =>
    start("--port", port, "--reuse-port", "--admin-address", "127.0.0.1:0", "--shutdown-delay", "1s", ...flags);
  await using processes = new AsyncDisposableStack();
  const first = processes.use(startOn("0"));
  const url = await first.url;
  const { port } = new URL(url);
  const second = processes.use(startOn(port));
  expect(await second.url).toBe(url);

  const count = 8;
  const callers = startCallers(url, { count, keepAlive: false });
  for (const command of [first, second]) {
    await until(async () => (await answeredBy(command)) > 20);
    command.child.kill("SIGTERM");
    expect((await command.exit).code).toBe(0);
    await processes.use(startOn(port)).url;
  }
  const { answered } = callers.seen();
  await until(() => callers.seen().answered > answered + 100);
  const { wrong, cut } = await callers.stop();
  expect(wrong).toEqual([]);
  // The system resets connections that a process has not accepted when it stops: one of each caller at most.
  expect(cut).toBeLessThanOrEqual(2 * count);
});

/** The responses of a process to operations. */
async function answeredBy(command: RunningCommand): Promise<number> {
  const admin = await until(() => command.log().find(({ msg }) => msg === "listening")?.["adminUrl"]);
  const text = await (await fetch(`${admin}/metrics`)).text();
  const counts = text.matchAll(/^chain_query_request_duration_seconds_count\{operation="get\w+",status="200"\} (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}
