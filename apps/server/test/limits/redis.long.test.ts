import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";
import { type RedisServer, startRedis } from "@chain-query/testing/services";
import { Redis } from "ioredis";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { redisLimiter } from "../../src/limits/limiter.ts";
import { connectRedis, type SharedRedis } from "../../src/limits/redis.ts";

const started = await startRedis();
const reason = "reason" in started ? started.reason : undefined;
const redis = started as RedisServer;
afterAll(() => (reason === undefined ? redis.stop() : undefined));

/** Listens until the end of the test. Returns the URL of a Redis there. */
async function listening(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => serve(socket.on("error", () => {})));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Wire {
  readonly url: string;
  readonly connections: () => number;
  /** How replies arrive from now on: at once, one byte after the other, or never. */
  state: "fast" | "slow" | "cut";
}

/** Milliseconds between two bytes on a slow wire. */
const byteInterval = 60;

/** Something between an instance and Redis. It ends with the test. */
async function startWire(): Promise<Wire> {
  let connections = 0;
  const trickle = (near: Socket, bytes: Buffer): void => {
    const [byte, rest] = [bytes.subarray(0, 1), bytes.subarray(1)];
    near.write(byte);
    if (rest.length > 0) setTimeout(() => trickle(near, rest), byteInterval);
  };
  const url = await listening((near) => {
    connections++;
    const far = connect(redis.port, "127.0.0.1");
    near.pipe(far);
    far.on("data", (reply: Buffer) => {
      if (wire.state === "fast") near.write(reply);
      else if (wire.state === "slow") trickle(near, reply);
    });
    far.on("error", () => {});
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  const wire: Wire = { url, connections: () => connections, state: "fast" };
  return wire;
}

async function connected(url: string): Promise<SharedRedis> {
  const shared = await connectRedis(url, 5, () => {});
  onTestFinished(() => shared.close());
  return shared;
}

/** A limiter of five requests, with the number of those that it counted without Redis. */
function limiterOn(shared: SharedRedis) {
  const alone = { count: 0 };
  const limiter = redisLimiter(shared, "chain")("key-5", 5, { onLocalCount: () => void alone.count++ });
  return { limiter, alone };
}

describe.skipIf(reason !== undefined)(`the connection to Redis${reason === undefined ? "" : ` (${reason})`}`, () => {
  test("has a share of the deadline for a reply, and sends nothing after a silence until a new connection replies", async () => {
    const wire = await startWire();
    const shared = await connected(wire.url);
    const { limiter, alone } = limiterOn(shared);
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toBeUndefined();
    expect(await limiter.take("alice")).toMatchObject({ remaining: 4 });
    wire.state = "cut";
    expect(await limiter.take("bob")).toMatchObject({ allowed: true, remaining: 4 });
    expect(alone.count).toBeGreaterThan(0);
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toMatch(/Socket timeout|timed out/);
    const order: string[] = [];
    const decision = limiter.take("carol").then(() => order.push("counted"));
    await nextTick();
    order.push("the next turn of the event loop");
    await decision;
    expect(order).toEqual(["counted", "the next turn of the event loop"]);
    wire.state = "fast";
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toBeUndefined();
    expect(wire.connections()).toBeGreaterThan(1);
    const countInRedis = async (): Promise<boolean> => {
      const before = alone.count;
      await limiter.take("dave");
      return alone.count === before;
    };
    await expect.poll(countInRedis, { timeout: 10_000 }).toBe(true);
  });

  test("does not let a request wait for a reply that arrives slowly", async () => {
    const wire = await startWire();
    const shared = await connected(wire.url);
    const { limiter, alone } = limiterOn(shared);
    await expect.poll(() => shared.problem, { timeout: 10_000 }).toBeUndefined();
    await limiter.take("alice");
    const before = alone.count;
    // The silence between two bytes is shorter than that after which the connection ends; the whole reply takes longer.
    wire.state = "slow";
    await limiter.take("bob");
    expect(alone.count).toBe(before + 1);
  });

  test("is not made to a node of a cluster, which does not have the keys of all callers", async () => {
    const clustered = await startRedis({ isCluster: true });
    if ("reason" in clustered) throw new Error(clustered.reason);
    onTestFinished(() => clustered.stop());
    const client = new Redis(clustered.url);
    onTestFinished(() => client.disconnect());
    await client.cluster("ADDSLOTSRANGE", 0, 16_383);
    await expect.poll(() => client.cluster("INFO")).toContain("cluster_state:ok");
    const shared = await connected(clustered.url);
    await expect
      .poll(() => shared.problem, { timeout: 10_000 })
      .toBe("the server must be no part of a Redis Cluster, got cluster_enabled:1");
  });
});

test("reports a long text of the server in 200 printable characters", async () => {
  const url = await listening((socket) => {
    const reply = `-ERR \u001b[2J${"x".repeat(1 << 14)}\r\n`;
    // One for each command.
    socket.on("data", (bytes) => socket.write(reply.repeat(bytes.toString().match(/^\*/gm)?.length ?? 0)));
  });
  const problems: (string | undefined)[] = [];
  const shared = await connectRedis(url, 60, (problem) => problems.push(problem));
  onTestFinished(() => shared.close());
  await expect.poll(() => problems.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(problems[0]).toMatch(/^ERR \?\[2Jx+…x{100}$/);
  expect(problems[0]?.length).toBeLessThanOrEqual(201);
});
