/** Sends queries on demand of its parent: `ours` by this client, `theirs` by ton-lite-client. */
import { once } from "node:events";
import { connect } from "@chain-query/lite-protocol/adnl";
import { queries } from "@chain-query/lite-protocol/tl";
import { LiteSingleEngine } from "ton-lite-client";
import { Functions } from "ton-lite-client/dist/schema.js";

const IN_FLIGHT = 64;

const hash = Buffer.alloc(32, 2);
const id = { workchain: -1, shard: -(2n ** 63n), seqno: 7, rootHash: hash, fileHash: hash };
const account = { workchain: 0, hash };

/** Sends one query, and reads its answer. */
type Ask = () => Promise<unknown>;

const [who, port, publicKey = ""] = process.argv.slice(2);
const asks = await (who === "ours" ? oursAt : theirsAt)(Number(port), Buffer.from(publicKey, "hex"));
process.on("message", async ([size, milliseconds]: [string, number]) => {
  const ask = asks[size];
  if (ask !== undefined) process.send?.(await rate(ask, milliseconds));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");

async function oursAt(port: number, publicKey: Uint8Array): Promise<Record<string, Ask>> {
  const connection = await connect({ host: "127.0.0.1", port, publicKey });
  const { signal } = new AbortController();
  const ask = async <Answer>(query: { bytes: Uint8Array; read(answer: Uint8Array): Answer }) =>
    query.read(await connection.query(query.bytes, signal));
  return {
    "184 B": () => ask(queries.getMasterchainInfo()),
    "5.5 kB": () => ask(queries.getAccountState({ id, account })),
    "45 kB": () => ask(queries.getBlockProof({ mode: 0, knownBlock: id })),
  };
}

async function theirsAt(port: number, publicKey: Buffer): Promise<Record<string, Ask>> {
  const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${port}`, publicKey });
  await once(engine, "ready");
  const block = {
    kind: "tonNode.blockIdExt",
    workchain: -1,
    shard: "-9223372036854775808",
    seqno: 7,
    rootHash: hash,
    fileHash: hash,
  } as const;
  return {
    "184 B": () => engine.query(Functions.liteServer_getMasterchainInfo, { kind: "liteServer.getMasterchainInfo" }),
    "5.5 kB": () =>
      engine.query(Functions.liteServer_getAccountState, {
        kind: "liteServer.getAccountState",
        id: block,
        account: { kind: "liteServer.accountId", workchain: 0, id: hash },
      }),
    "45 kB": () =>
      engine.query(Functions.liteServer_getBlockProof, {
        kind: "liteServer.getBlockProof",
        mode: 0,
        knownBlock: block,
        targetBlock: null,
      }),
  };
}

/** Queries per second while so many are in flight, and microseconds of this process for each. */
async function rate(ask: Ask, milliseconds: number): Promise<{ readonly perSecond: number; readonly cpu: number }> {
  const start = performance.now();
  const startOfCpu = process.cpuUsage();
  let answered = 0;
  const askOn = async () => {
    while (performance.now() - start < milliseconds) {
      await ask();
      answered++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, askOn));
  const { user, system } = process.cpuUsage(startOfCpu);
  return { perSecond: (1000 * answered) / (performance.now() - start), cpu: (user + system) / answered };
}
