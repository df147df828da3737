import { createServer, type RequestListener, type Server } from "node:http";
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { startHaproxy, startRedis } from "../src/services/index.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test("HAProxy distributes requests round-robin to healthy servers; servers are added and removed", async ({ skip }) => {
  let ready = true;
  const first = await listen((request, response) => {
    response.statusCode = request.url === "/readyz" && !ready ? 503 : 200;
    response.end("first");
  });
  const second = await listen((_, response) => response.end("second"));
  const balancer = await startHaproxy({ ports: [first, second] });
  if ("reason" in balancer) return skip(balancer.reason);
  await using haproxy = balancer;
  const answers = async () => {
    const texts = [];
    for (let n = 0; n < 6; n++) texts.push(await (await fetch(haproxy.url)).text());
    return texts.sort().join(" ");
  };
  expect(await answers()).toBe("first first first second second second");
  expect(await haproxy.requests()).toEqual(
    new Map([
      [first, 3],
      [second, 3],
    ]),
  );

  const third = await listen((_, response) => response.end("third"));
  await haproxy.add(third);
  expect(await answers()).toBe("first first second second third third");

  ready = false;
  await expect.poll(answers).toBe("second second second third third third");
  await haproxy.remove(second);
  expect(await answers()).toBe("third third third third third third");

  await haproxy.kill();
  await haproxy.start();
  expect((await fetch(haproxy.url)).status).toBe(200);
});

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

test("Redis with a password is killed, and starts again empty on the same port", async ({ skip }) => {
  const server = await startRedis({ password: "pass word" });
  if ("reason" in server) return skip(server.reason);
  await using redis = server;
  const client = new Redis(redis.url);
  await client.set("key", "value");
  expect(await client.get("key")).toBe("value");
  await redis.kill();
  await redis.start();
  expect(await client.get("key")).toBeNull();
  client.disconnect();

  const stranger = new Redis(redis.port, "127.0.0.1").on("error", () => undefined);
  await expect(stranger.get("key")).rejects.toThrow("NOAUTH");
  stranger.disconnect();
});
