/** Sends the load in a file at an even pace, however long answers take, and prints the outcome as JSON. */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Load, Outcome } from "./load.ts";

interface Connection {
  readonly socket: Socket;
  /** When the current request was due, in milliseconds; undefined if the connection is free. */
  due?: number;
  received: string;
}

const { url, requests: load, seconds, connections, rate = 1 } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Load;
const { hostname, port, host } = new URL(url);
const requests = load.map(({ method, path, body = "" }) => {
  const headers = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return method === "GET"
    ? `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    : `POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
});

const taken: number[] = [];
let failed = 0;
const free: Connection[] = [];
const all = await Promise.all(Array.from({ length: connections }, openConnection));
free.push(...all);

/** Seconds at the start that are not measured. */
const warmUp = 1;
const start = performance.now();
const counted = start + warmUp * 1000;
const total = Math.round(rate * (warmUp + seconds));
let sent = 0;
while (sent < total) {
  const now = performance.now();
  for (let due = dueAt(sent); sent < total && due <= now; due = dueAt(++sent)) {
    const connection = free.pop();
    if (connection === undefined) break;
    connection.due = due;
    connection.socket.write(requests[sent % requests.length] ?? "");
  }
  await new Promise(setImmediate);
}
while (free.length < connections) await new Promise(setImmediate);
for (const { socket } of all) socket.destroy();

taken.sort((one, other) => one - other);
const at = (share: number): number => taken[Math.ceil(taken.length * share) - 1] ?? Number.NaN;
const outcome: Outcome = {
  perSecond: (taken.length * 1000) / (performance.now() - counted),
  p50: at(0.5),
  p95: at(0.95),
  p99: at(0.99),
  failed,
};
process.stdout.write(JSON.stringify(outcome));

function dueAt(index: number): number {
  return start + (index * 1000) / rate;
}

async function openConnection(): Promise<Connection> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding("latin1");
  const connection: Connection = { socket, received: "" };
  socket.on("data", (text: string) => receive(connection, text));
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return connection;
}

/** A connection has one request at a time, so an answer is complete when its body is. */
function receive(connection: Connection, text: string): void {
  connection.received += text;
  const { received, due } = connection;
  const head = received.indexOf("\r\n\r\n");
  if (head < 0 || due === undefined) return;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1]);
  if (received.length < head + 4 + length) return;
  if (due >= counted) taken.push(performance.now() - due);
  if (!received.startsWith("HTTP/1.1 200 ")) failed++;
  connection.received = "";
  delete connection.due;
  free.push(connection);
}
