import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { isUserError } from "@chain-query/command-line";
import { type Connection, connect, type LiteQuery, queries } from "@chain-query/lite/wire";
import { openChain, openProducer } from "@chain-query/local-chain";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { showIfFailed, until } from "@chain-query/testing/until";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseArguments } from "../../src/command/arguments.ts";
import { serveLite } from "../../src/command/lite.ts";
import { program } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const place = temporaryFolder();
const folder = place.path;
const chainFolder = join(folder, "chain");

beforeAll(() => copyMadeChain(chainFolder, { seed: 7, accounts: 12, shards: 2, rate: 5, steps: 8 }));
afterAll(() => place[Symbol.dispose]());

/** The part of a global.config.json that clients of this test read. */
interface Config {
  readonly liteservers: readonly [{ readonly ip: number; readonly port: number; readonly id: { readonly key: string } }];
  readonly validator: { readonly zero_state: ZeroState; readonly init_block: ZeroState };
}
interface ZeroState {
  readonly workchain: number;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

interface Served {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Its stdout until it was ready. */
  readonly stdout: string;
  /** The line on stderr when it is ready. */
  readonly ready: string;
}

/** Starts `lite`, which ends with the test. */
async function serve(...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [program, "lite", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  showIfFailed("lite", () => stdout + stderr);
  // The configuration is written before the line, but through another pipe.
  const isReady = () => stderr.endsWith("\n") && (args.includes("--config-file") || stdout.endsWith("}\n"));
  await until(() => isReady() || child.exitCode !== null);
  expect({ isReady: isReady(), exitCode: child.exitCode, stderr }).toMatchObject({ isReady: true, exitCode: null });
  return { child, stdout, ready: stderr.trimEnd() };
}

function connectTo({ liteservers: [{ port, id }] }: Config): Promise<Connection> {
  return connect({ host: "127.0.0.1", port, publicKey: Buffer.from(id.key, "base64") });
}

async function ask<Answer>(connection: Connection, query: LiteQuery<Answer>): Promise<Answer> {
  return query.read(await connection.query(query.bytes, AbortSignal.timeout(10_000)));
}

async function stop({ child }: Served, signal: NodeJS.Signals = "SIGINT"): Promise<unknown> {
  child.kill(signal);
  const [code] = await once(child, "exit");
  return code;
}

describe("chain-query-server lite", () => {
  test("prints a configuration with which a client reads the chain, follows it, and ends at Ctrl-C with open connections", async () => {
    const served = await serve("--chain", chainFolder, "--port", "0", "--key-file", join(folder, "other.key"));
    const config: Config = JSON.parse(served.stdout);
    const [{ ip, port, id }] = config.liteservers;
    expect(ip).toBe(0x7f000001);
    expect(served.ready).toBe(`${chainFolder}: lite server at 127.0.0.1:${port}, masterchain block 8, until Ctrl-C`);

    const chain = openChain(chainFolder);
    const { block } = chain.genesis();
    const zero = { workchain: -1, seqno: 0, root_hash: base64(block.rootHash), file_hash: base64(block.fileHash) };
    expect(config.validator.zero_state).toMatchObject(zero);
    expect(config.validator.init_block).toMatchObject(zero);
    // As a 64-bit integer: JSON.parse would also accept the nearest number that JavaScript writes.
    expect(served.stdout).toContain('"shard": -9223372036854775808,');
    const connection = await connectTo(config);
    const { last } = await ask(connection, queries.getMasterchainInfo());
    expect(last).toEqual(chain.head().block.id);
    expect((await ask(connection, queries.getBlock({ id: last }))).data).toEqual(chain.blockData(last));
    await chain.close();

    // This process makes blocks, which the other serves.
    const producer = await openProducer(chainFolder);
    for (let step = 0; step < 3; step++) await producer.step();
    await producer.close();
    expect((await ask(connection, queries.getMasterchainInfo())).last.seqno).toBe(11);

    expect(await stop(served)).toBe(0);
    connection.close();
    await expect(connect({ host: "127.0.0.1", port, publicKey: Buffer.from(id.key, "base64") })).rejects.toThrow();
  });

  test("keeps its key from one start to the next, and writes the configuration to a file", async () => {
    const file = join(folder, "global.config.json");
    const keys: string[] = [];
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const served = await serve("--chain", chainFolder, "--port", "0", "--config-file", file);
      const config: Config = JSON.parse(readFileSync(file, "utf8"));
      expect(served.stdout).toBe("");
      keys.push(config.liteservers[0].id.key);
      (await connectTo(config)).close();
      expect(await stop(served, signal)).toBe(0);
    }
    expect(new Set(keys).size).toBe(1);
    const names = readdirSync(chainFolder).filter((name) => !name.startsWith("chain.mdb"));
    expect(names.sort()).toEqual(["lite-server.key", "writer.lock"]);
    const other = readFileSync(join(folder, "other.key"), "utf8");
    expect(readFileSync(join(chainFolder, "lite-server.key"), "utf8")).not.toBe(other);
  });
});

/** The message with which the command ends, in this process, before it prints anything. */
async function refusal(...args: readonly string[]): Promise<string> {
  const command = parseArguments(["lite", ...args], {});
  if (command.command !== "lite") throw new TypeError(`expected the command lite, got ${command.command}`);
  let stdout = "";
  const write = (text: string | Uint8Array): boolean => {
    stdout += String(text);
    return true;
  };
  try {
    await serveLite(command, { stdout: { write }, stderr: { isTTY: false, columns: 80, write } });
  } catch (error) {
    expect(stdout).toBe("");
    if (!isUserError(error)) throw error;
    return error.message;
  }
  throw new TypeError("expected an error");
}

describe("chain-query-server lite refuses in one line", () => {
  test("a folder without a chain, where it makes no key", async () => {
    const empty = mkdtempSync(join(folder, "empty-"));
    expect(await refusal("--chain", empty, "--port", "0")).toEqual(`${empty} holds no chain: it has no file chain.mdb`);
    expect(readdirSync(empty)).toEqual([]);
  });

  test("a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const outcome = await refusal("--chain", chainFolder, "--port", String(port));
    other.close();
    expect(outcome).toEqual(`port ${port} is in use on 127.0.0.1; choose another, or 0 for any free port`);
  });

  test("an address of another machine", async () => {
    const outcome = await refusal("--chain", chainFolder, "--port", "0", "--host", "203.0.113.1");
    expect(outcome).toEqual('host "203.0.113.1": not an address of this machine');
  });

  test("a file that holds no key", async () => {
    const file = join(folder, "no.key");
    writeFileSync(file, "secret");
    const outcome = await refusal("--chain", chainFolder, "--port", "0", "--key-file", file);
    expect(outcome).toEqual(`--key-file ${file}: must hold 32 bytes in base64, got 6 characters`);
  });

  test("a configuration file that cannot be written", async () => {
    const file = join(folder, "none", "config.json");
    const outcome = await refusal("--chain", chainFolder, "--port", "0", "--config-file", file);
    expect(outcome).toEqual(`--config-file ${file}: ENOENT: no such file or directory, open '${file}'`);
  });
});

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
