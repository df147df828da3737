/** Malformed frames for a server. */
import { once } from "node:events";
import { createConnection } from "node:net";
import {
  adnlKey,
  beginFrame,
  endFrame,
  FrameReader,
  LiteError,
  MAX_FRAME,
  queries,
  readQuery,
  serveAdnl,
  TlWriter,
  withWait,
  writeAnswer,
  writeError,
  writeHandshake,
} from "@chain-query/lite/wire";
import { MAX_BYTES, malformed, type Random, seededRandom, type Tally } from "./malformed.ts";

const key = adnlKey(Buffer.alloc(32, 1));
const hash = Buffer.alloc(32, 2);
const id = { workchain: -1, shard: -(2n ** 63n), seqno: 7, rootHash: hash, fileHash: hash };
const account = { workchain: 0, hash };
const calls = [
  queries.getTime(),
  queries.getAccountState({ id, account }),
  queries.lookupBlock({ mode: 2, id, lt: 5n }),
  queries.listBlockTransactions({ id, mode: 128, count: 9, after: { account: hash, lt: 1n } }),
  queries.getConfigParams({ mode: 0, id, paramList: [1, 2, 3] }),
  withWait(queries.getMasterchainInfo(), { seqno: 1, timeoutMs: 1 }),
].map(({ bytes }) => {
  const query = new TlWriter().uint(0x798c06df).bytes(bytes).finish();
  return new TlWriter().uint(0xb48bf97a).raw(hash).bytes(query).finish();
});
const ping = endFrame(beginFrame(12).uint(0x4d082b9a).long(1n));

/** Each frame has a ping behind it. A frame ends its connection, or the ping is answered. */
export async function fuzzServer(count: number, seed: number, tally: Tally): Promise<void> {
  const random = seededRandom(seed);
  const server = await serveAdnl({
    key,
    port: 0,
    maxFrame: MAX_BYTES,
    onQuery: (bytes) => answer(bytes, tally),
    onError: (error) => tally.fault(String(error)),
  });
  let left = count;
  const client = async () => {
    while (left > 0) await attack(server.port, random, tally, () => left-- > 0);
  };
  await Promise.all(Array.from({ length: 16 }, client));
  await server.close();
}

function answer(bytes: Uint8Array, tally: Tally): Uint8Array {
  try {
    readQuery(bytes);
    return writeAnswer("getTime", { now: 1 });
  } catch (error) {
    if (!(error instanceof LiteError)) tally.fault(`readQuery: ${String(error)}`);
    return writeError(601, "bad");
  }
}

/** Sends frames over one connection until it ends. */
async function attack(port: number, random: Random, tally: Tally, hasNext: () => boolean): Promise<void> {
  const socket = createConnection({ port, host: "127.0.0.1" }).on("error", () => {});
  const closed = once(socket, "close").then(() => "server: closed the connection");
  const { packet, streams } = writeHandshake(key.publicKey);
  let onPong = () => {};
  const reader = new FrameReader(MAX_FRAME, (payload) => {
    if (payload.length === 12) onPong();
  });
  socket.on("data", (chunk) => reader.push(streams.receive.update(chunk)));
  socket.write(packet);
  while (!socket.destroyed && hasNext()) {
    const pong = new Promise<string>((resolve) => {
      onPong = () => resolve("server: answered or passed over");
    });
    const bytes = malformed(calls[random(calls.length)] ?? hash, random);
    socket.write(streams.send.update(Buffer.concat([bytes, ping])));
    const outcome = await Promise.race([closed, pong, late()]);
    if (outcome === LATE) tally.fault(outcome);
    tally.count(outcome);
  }
  socket.destroy();
}

const LATE = "server: neither closed nor answered";

function late(): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, 30_000, LATE).unref());
}
