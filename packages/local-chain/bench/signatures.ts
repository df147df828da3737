/**
 * The cost of trust "signatures": the first verification of a chain and the next one, heads at mainnet's pace, requests beside them, and
 * the first verification of mainnet on paper. Servers, and clients that are measured beside each other, have processes of their own.
 */
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { hex } from "@chain-query/format/cells";
import { liteClient, parseGlobalConfig, verifyBlockProof } from "@chain-query/lite-client";
import { adnlKey, connect, serveAdnl } from "@chain-query/lite-protocol/adnl";
import { queries } from "@chain-query/lite-protocol/tl";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";
import { median } from "./median.ts";
import { startProcess } from "./processes.ts";
import type { Load, LoadReport } from "./signed-client-process.ts";

const validators = { validators: 66, blockInterval: 1, shards: 1 } as const;
const ROTATIONS = 200;
/** Milliseconds from one block to the next. */
const PACE = 400;
/** Seconds in which heads are followed, and of a turn of requests, and the turns of each client. */
const [FOLLOWING, TURN, TURNS] = [20, 0.25, 60];
/** The first verification of mainnet, from an `init_block` three years old, as another implementation reported it. */
const MAINNET = { answers: 78, links: 1_242, signatures: 107_475, bytes: 52_600_000 } as const;

const folder = mkdtempSync(join(tmpdir(), "signatures-bench-"));
process.once("SIGINT", () => process.exit(130));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Makes the first steps of a chain. */
async function makeChain(name: string, steps: number, options: Parameters<typeof createChain>[1]): Promise<string> {
  const directory = join(folder, name);
  await createChain(directory, options);
  const producer = await openProducer(directory);
  for (let step = 0; step < steps; step++) await producer.step();
  await producer.close();
  return directory;
}

function print(name: string, value: string, goal = ""): void {
  console.log(`${name.padEnd(52)} ${value.padStart(12)}   ${goal && `goal ≤ ${goal}`}`.trimEnd());
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function secondsInRounds(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) all.push(await secondsOf(() => work(round)));
  return median(all);
}

/** The first start over all rotations, the second one with its anchor, and the parts of a verification. */
async function benchSync(): Promise<void> {
  // The newest block is no key block, so that the second start has a link to verify.
  const options = { seed: 7, accounts: 5, rate: 0, keyBlocks: 2, ...validators };
  await using server = startProcess("signed-server-process.ts", await makeChain("rotations", 2 * ROTATIONS + 1, options));
  const config = parseGlobalConfig((await server.next()) as string);
  const start = async (round: number): Promise<void> => {
    const client = liteClient(config, {
      trust: "signatures",
      rate: 100_000,
      anchorFile: join(folder, `anchor-${round}.json`),
    });
    await client.waitForHead();
    await client.close();
  };
  const first = await secondsInRounds(3, start);
  const second = await secondsInRounds(3, start);
  print(`first start, ${ROTATIONS} rotations of ${validators.validators} validators`, `${first.toFixed(2)} s`, "5 s");
  print("second start, from the anchor", `${second.toFixed(3)} s`, "0.5 s");
  await benchParts(config);
}

/** The first verification of mainnet from the times of one signature, one link and one byte. */
async function benchParts({ servers, zeroState }: ReturnType<typeof parseGlobalConfig>): Promise<void> {
  const [address] = servers;
  if (!address) throw new Error("the configuration has no server");
  const connection = await connect(address);
  const parts: { readonly from: typeof zeroState; readonly bytes: Uint8Array }[] = [];
  const { read } = queries.getBlockProof({ mode: 0, knownBlock: zeroState });
  for (let [from, isComplete] = [zeroState, false]; !isComplete; ) {
    const query = queries.getBlockProof({ mode: 0, knownBlock: from });
    const bytes = await connection.query(query.bytes, AbortSignal.timeout(30_000));
    parts.push({ from, bytes });
    const proof = read(bytes);
    [from, isComplete] = [proof.to, proof.complete];
  }
  connection.close();
  let signatures = 0;
  const all = await secondsInRounds(3, async () => {
    signatures = 0;
    for (const { from, bytes } of parts) signatures += (await verifyBlockProof(from, read(bytes))).signatures;
  });
  const signature = await secondsOfSignature();
  const link = Math.max(0, (all - signatures * signature) / (ROTATIONS + 1));
  const byte = await secondsOfByte(parts.map(({ bytes }) => bytes));
  const total = MAINNET.signatures * signature + MAINNET.links * link + MAINNET.bytes * byte;
  print("a signature, three at once", `${(signature * 1e6).toFixed(0)} µs`);
  print("a link without its signatures", `${(link * 1e3).toFixed(2)} ms`);
  print("a megabyte, client and server", `${(byte * 1e9).toFixed(1)} ms`);
  print("mainnet's first start on paper", `${total.toFixed(1)} s`);
  const { links, answers } = MAINNET;
  console.log(
    `  ${links} links, ${MAINNET.signatures} signatures, ${MAINNET.bytes / 1e6} MB; ${answers} round trips come on top\n`,
  );
}

async function secondsOfSignature(): Promise<number> {
  const [count, message] = [9_000, Buffer.alloc(68, 1)];
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const signature = sign(null, message, privateKey);
  const verifyInThread = promisify(verify);
  const some = async (): Promise<void> => {
    for (let done = 0; done < count / 3; done++) await verifyInThread(null, message, publicKey, signature);
  };
  return (await secondsInRounds(3, () => Promise.all([some(), some(), some()]))) / count;
}

/** Sends answers over a connection within this process. */
async function secondsOfByte(answers: readonly Uint8Array[]): Promise<number> {
  const key = adnlKey(new Uint8Array(32).fill(3));
  let next = 0;
  const server = await serveAdnl({ key, port: 0, onQuery: () => answers[next++ % answers.length] ?? new Uint8Array() });
  const connection = await connect({ host: "127.0.0.1", port: server.port, publicKey: key.publicKey });
  const seconds = await secondsInRounds(3, async () => {
    for (const _ of answers) await connection.query(new Uint8Array(4), AbortSignal.timeout(30_000));
  });
  connection.close();
  await server.close();
  return seconds / answers.reduce((sum, { length }) => sum + length, 0);
}

/** A client with signatures beside one with proofs, while blocks are made: CPU time for the heads, and latencies of requests. */
async function benchHeads(): Promise<void> {
  const options = { seed: 8, accounts: 200, rate: 20, keyBlocks: 50, ...validators };
  const directory = await makeChain("heads", 60, options);
  const accounts: string[] = [];
  const steps = chainSteps(directory);
  for await (const step of steps.steps({ from: 50, to: 60 }, new AbortController().signal)) {
    for (const { account } of step.accounts) if (account.workchain === 0) accounts.push(hex(account.hash));
  }
  await steps.close();
  await using server = startProcess("signed-server-process.ts", directory, `${PACE}`);
  const config = (await server.next()) as string;
  await using signed = startProcess("signed-client-process.ts", "signatures", config, ...new Set(accounts));
  await using proved = startProcess("signed-client-process.ts", "proofs", config, ...new Set(accounts));
  const clients = [signed, proved];
  for (const client of clients) await client.next();
  const loaded = async (client: typeof signed, load: Load): Promise<LoadReport> => {
    client.send(load);
    return (await client.next()) as LoadReport;
  };

  const [own, other] = await Promise.all(clients.map((client) => loaded(client, { seconds: FOLLOWING, hasRequests: false })));
  const share = (report: LoadReport | undefined) => `${((report?.cpuMs ?? Number.NaN) / FOLLOWING / 10).toFixed(1)} %`;
  console.log(
    `a block each ${PACE} ms with ${validators.validators} signers, ${FOLLOWING} s, then ${TURNS} turns of requests of ${TURN} s each\n`,
  );
  print(`share of a core, ${own?.heads} heads by signatures`, share(own), "4 %");
  print(`share of a core, ${other?.heads} heads by proofs`, share(other));

  const latencies = clients.map((): number[] => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const index of turn % 2 === 0 ? [0, 1] : [1, 0]) {
      const client = clients[index];
      if (client) latencies[index]?.push(...(await loaded(client, { seconds: TURN, hasRequests: true })).latencies);
    }
  }
  const [p99, goal] = latencies.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? Number.NaN);
  const counts = latencies.map(({ length }) => length).join(" and ");
  print(`99th percentile of an account by signatures`, `${p99?.toFixed(2)} ms`);
  print(`99th percentile of an account by proofs`, `${goal?.toFixed(2)} ms`);
  print(`their ratio, ${counts} requests`, `${((p99 ?? 0) / (goal ?? 0)).toFixed(2)}`, "1.2");
}

await benchSync();
await benchHeads();
process.exit();
