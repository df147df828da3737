/** Thousands of callers that wait for the next block: memory of each, and the time of their answers and of health checks. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openChain, openProducer } from "@chain-query/local-chain";
import { type ServerProcess, startServer } from "../fuzz/server-process.ts";
import { loadOf, printTable, quantile } from "./measure.ts";

const callers = { count: 2_000, addresses: 200 } as const;
const rounds = 5;
/** Requests on each of as many connections before, after which the process is as large as it gets without callers that wait. */
const requestsBefore = 5;
/** Milliseconds between two health checks. */
const checkInterval = 10;
const path = "/api/v2/getMasterchainInfo";

/** Milliseconds of answers and checks, milliseconds of CPU time for all answers, and bytes of a caller with its connection. */
interface Figures {
  readonly answers: number[];
  readonly checks: number[];
  readonly cpu: number[];
  readonly heap: number;
  readonly resident: number;
}

/** Prints the figures beside those of a bare server, with the goals. Sets no exit code: they depend on the load of the machine. */
export async function benchWaiting(chain: string): Promise<void> {
  const producer = await openProducer(chain);
  const reader = openChain(chain);
  await using service = await startServer({ kind: "service", chain });
  await using bare = await startServer({ kind: "bare", bytes: 700 });
  const nextBlock = async (): Promise<void> => void (await producer.step());
  const own = await measure(service, () => reader.head().block.id.seqno + 1, nextBlock);
  const floor = await measure(
    bare,
    () => 1,
    async () => void (await fetch(bare.url)),
  );
  await Promise.all([producer.close(), reader.close()]);
  console.log(`waiting: ${callers.count} callers, ${rounds} blocks; load of the machine ${loadOf()}\n`);
  const milliseconds = (values: readonly number[], share: number): string => `${quantile(values, share).toFixed(0)} ms`;
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  const row = (name: string, of: (figures: Figures) => string, goal: string): string[] => [name, of(own), of(floor), goal];
  printTable([
    ["", "service", "bare node:http", "goal"],
    row("p50 of the answers", ({ answers }) => milliseconds(answers, 0.5), ""),
    row("p99 of the answers", ({ answers }) => milliseconds(answers, 0.99), "≤ 150 ms"),
    row("CPU time of all answers", ({ cpu }) => milliseconds(cpu, 0.5), ""),
    row("slowest /healthz", ({ checks }) => milliseconds(checks, 1), "≤ 50 ms"),
    row("heap of a caller and its connection", ({ heap }) => kilobytes(heap), "≤ 10 kB"),
    row("memory of both", ({ resident }) => kilobytes(resident), ""),
  ]);
}

/** @param lowest - The head to wait for. @param answer - Makes the server answer. */
async function measure(server: ServerProcess, lowest: () => number, answer: () => Promise<void>): Promise<Figures> {
  const port = Number(new URL(server.url).port);
  const openAll = () => Promise.all(Array.from({ length: callers.count }, (_, index) => open(port, index)));
  const figures = { answers: [] as number[], checks: [] as number[], cpu: [] as number[] };
  for (const socket of await openAll()) {
    for (let count = 0; count < requestsBefore; count++) await ask(socket, `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    socket.destroy();
  }
  const before = { heap: await server.read("heap"), resident: await server.read("resident") };
  const sockets = await openAll();
  let after = before;
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nprefer: wait=20\r\nchain-min-head: ${lowest()}\r\n\r\n`;
    for (const socket of sockets) socket.write(request);
    await sleep(2_000);
    if (round === 0) after = { heap: await server.read("heap"), resident: await server.read("resident") };
    const received = sockets.map(async (socket) => {
      await once(socket, "data");
      return performance.now();
    });
    const cpu = await server.read("cpu");
    await answer();
    const began = performance.now();
    const checks = checkUntil(Promise.all(received), server.url);
    const times = (await Promise.all(received)).map((time) => time - began);
    const checked = await checks;
    if (round === 0) continue;
    figures.cpu.push(((await server.read("cpu")) - cpu) / 1000);
    figures.answers.push(...times);
    figures.checks.push(...checked);
  }
  for (const socket of sockets) socket.destroy();
  const share = (figure: "heap" | "resident"): number => (after[figure] - before[figure]) / callers.count;
  return { ...figures, heap: share("heap"), resident: share("resident") };
}

async function open(port: number, index: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.1.${1 + (index % callers.addresses)}` });
  await once(socket, "connect");
  return socket.resume();
}

async function ask(socket: Socket, request: string): Promise<void> {
  socket.write(request);
  await once(socket, "data");
}

/** Milliseconds of health checks until a promise is settled. */
async function checkUntil(end: Promise<unknown>, url: string): Promise<number[]> {
  const times: number[] = [];
  let isEnded = false;
  void end.then(() => {
    isEnded = true;
  });
  while (!isEnded) {
    const began = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    times.push(performance.now() - began);
    await sleep(checkInterval);
  }
  return times;
}
