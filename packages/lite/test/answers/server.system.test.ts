import { afterEach, expect, test } from "vitest";
import { type LiteServer, type LiteServerOptions, startLiteServer } from "../../src/answers/server.ts";
import { type Connection, connect } from "../../src/wire/adnl/connect.ts";
import { queries, withWait } from "../../src/wire/tl/queries.ts";
import { sampleChain } from "../proof/sample-chain.ts";

const key = new Uint8Array(32).fill(5);
const ended: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function start(options: Partial<LiteServerOptions> = {}): Promise<LiteServer> {
  const server = await startLiteServer({ chain: sampleChain(3), key, ...options });
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
