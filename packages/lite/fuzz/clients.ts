/** Malformed frames for clients. */

import {
  adnlKey,
  type Connection,
  connect,
  LiteError,
  type LiteQuery,
  queries,
  readQuery,
  serveAdnl,
  writeAnswer,
} from "@chain-query/lite/wire";
import { MAX_BYTES, malformed, seededRandom, type Tally } from "./malformed.ts";

const key = adnlKey(Buffer.alloc(32, 1));
const hash = Buffer.alloc(32, 2);
const id = { workchain: -1, shard: -(2n ** 63n), seqno: 7, rootHash: hash, fileHash: hash };
const proof = Buffer.alloc(300, 3);
const signature = { nodeIdShort: hash, signature: Buffer.alloc(64) };
const signatures = {
  type: "signatureSet.simplex",
  ccSeqno: 1,
  validatorSetHash: 1,
  signatures: [signature],
  sessionId: hash,
  slot: 1,
  candidate: proof,
} as const;
const link = {
  type: "blockLinkForward",
  toKeyBlock: true,
  from: id,
  to: id,
  destProof: proof,
  configProof: proof,
  signatures,
} as const;
const answers = {
  getMasterchainInfo: writeAnswer("getMasterchainInfo", { last: id, stateRootHash: hash, init: id }),
  getTransactions: writeAnswer("getTransactions", { ids: [id, id], transactions: proof }),
  getBlockProof: writeAnswer("getBlockProof", { complete: true, from: id, to: id, steps: [link] }),
};
const asked: readonly LiteQuery<unknown>[] = [
  queries.getMasterchainInfo(),
  queries.getTransactions({ count: 2, account: { workchain: 0, hash }, lt: 1n, hash }),
  queries.getBlockProof({ mode: 0, knownBlock: id }),
];

/** Each answer is a malformed frame. A query is answered with something that can be read, or fails with a LiteError. */
export async function fuzzClients(count: number, seed: number, tally: Tally): Promise<void> {
  const random = seededRandom(seed);
  let left = count;
  const server = await serveAdnl({
    key,
    port: 0,
    onQuery: (bytes) => answers[readQuery(bytes).name as keyof typeof answers],
    changeFrame(frame) {
      // Most handshakes are confirmed.
      if (frame.length === 68 && random(10) > 0) return frame;
      left--;
      return malformed(frame.subarray(36, -32), random);
    },
  });
  const address = { host: "127.0.0.1", port: server.port, publicKey: key.publicKey };
  const client = async () => {
    let connection: Connection | undefined;
    while (left > 0) {
      try {
        connection ??= await connect(address, { timeout: 30_000, maxFrame: MAX_BYTES });
        const query = asked[random(asked.length)] ?? queries.getTime();
        query.read(await connection.query(query.bytes, AbortSignal.timeout(30_000)));
        tally.count("client: read an answer");
      } catch (error) {
        if (!(error instanceof LiteError)) tally.fault(`client: ${String(error)}`);
        tally.count(`client: ${error instanceof LiteError ? error.kind : "fault"}`);
        // An answer that is not TL leaves its connection open.
        if (await isClosed(connection)) connection = undefined;
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: 16 }, client));
  await server.close();
}

async function isClosed(connection: Connection | undefined): Promise<boolean> {
  const open = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return connection === undefined || (await Promise.race([connection.closed.then(() => true), open]));
}
