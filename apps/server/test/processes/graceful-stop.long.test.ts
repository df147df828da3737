/** Requests in progress while the service is stopped by SIGTERM. */

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { busiestAddress, copyGrowingChain, testChain } from "../fixtures/chain.ts";
import { isAlive, start, startFromShell } from "../fixtures/command.ts";
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
  await until(() => !isAlive(producer) || undefined);
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
    return (last !== undefined && last === before) || undefined;
  });
}

function isWhole(answer: string): boolean {
  const [headers = "", body = ""] = answer.split("\r\n\r\n");
  return body.length === Number(/content-length: (\d+)/.exec(headers)?.[1]);
}
