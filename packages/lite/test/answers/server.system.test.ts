import { createConnection } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type LiteServer, type LiteServerOptions, startLiteServer } from "../../src/answers/server.ts";
import { type Connection, connect } from "../../src/wire/adnl/connect.ts";
import { queries, withWait } from "../../src/wire/tl/queries.ts";
import { smallChain } from "./small-chain.ts";

const key = new Uint8Array(32).fill(5);
const ended: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function start(options: Partial<LiteServerOptions> = {}): Promise<LiteServer> {
  const server = await startLiteServer({ chain: smallChain(3), key, ...options });
  ended.push(() => server.close());
  return server;
}

async function connected(server: LiteServer): Promise<Connection> {
  const connection = await connect(server);
  ended.push(() => connection.close());
  return connection;
}

test("a configuration with the server's address and key is enough to connect", async () => {
  const server = await start();
  const [address] = server.config().liteservers;
  expect(address).toMatchObject({ ip: 0x7f000001, port: server.port });
  const publicKey = Buffer.from(address?.id.key ?? "", "base64");
  const connection = await connect({ host: "127.0.0.1", port: server.port, publicKey });
  ended.push(() => connection.close());
  const query = queries.getMasterchainInfo();
  expect(query.read(await connection.query(query.bytes, AbortSignal.timeout(60_000))).last.seqno).toBe(3);
  expect(server.connections).toBe(1);
});

test("closing ends connections, and queries that wait", async () => {
  const server = await start();
  const connection = await connected(server);
  const query = withWait(queries.getTime(), { seqno: 4, timeoutMs: 60_000 });
  const waiting = connection.query(query.bytes, AbortSignal.timeout(60_000));
  const [outcome] = await Promise.allSettled([waiting, server.close()]);
  expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  ended.splice(0);
});

test("a port in use and a key of the wrong length are refused", async () => {
  const { port } = await start();
  await expect(start({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await expect(start({ key: new Uint8Array(31) })).rejects.toThrow(RangeError);
});

test("clients that flood, wait, or send garbage do not stop others from being answered", async () => {
  const errors: unknown[] = [];
  const server = await start({ onError: (error) => errors.push(error) });
  const [flood, waits, other] = [await connected(server), await connected(server), await connected(server)];
  const account = { workchain: -1, hash: new Uint8Array(32) };
  const { bytes } = queries.getAccountState({ id: { ...smallChain(3).head(), seqno: -1 }, account });
  const wait = withWait(queries.getTime(), { seqno: 50, timeoutMs: 10_000 });
  let isFlooding = true;
  const repeat = async () => {
    while (isFlooding) await flood.query(bytes, AbortSignal.timeout(60_000));
  };
  const results = [
    ...Array.from({ length: 300 }, repeat),
    ...Array.from({ length: 200 }, () => waits.query(wait.bytes, AbortSignal.timeout(60_000))),
  ].map((result) => result.catch(() => undefined));
  for (let i = 0; i < 20; i++) {
    const socket = createConnection({ host: server.host, port: server.port });
    socket.on("error", () => undefined);
    socket.write(new Uint8Array(100_000).fill(i));
    ended.push(() => void socket.destroy());
  }
  const query = queries.getMasterchainInfo();
  for (let i = 0; i < 20; i++) await other.query(query.bytes, AbortSignal.timeout(60_000));
  expect(flood.inFlight).toBe(300);
  isFlooding = false;
  flood.close();
  waits.close();
  await Promise.all(results);
  expect(errors).toEqual([]);
});
