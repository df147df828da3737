import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { isUserError } from "@chain-query/command-line";
import { type LiteClient, liteClient, readGlobalConfig } from "@chain-query/lite";
import { openChain, openProducer } from "@chain-query/local-chain";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseArguments } from "../../src/command/arguments.ts";
import { serveLite } from "../../src/command/lite.ts";
import { type RunningCommand, start } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const place = temporaryFolder();
const folder = place.path;
const chainFolder = join(folder, "chain");
const configFile = join(folder, "global.config.json");

beforeAll(() => copyMadeChain(chainFolder, { seed: 7, accounts: 12, shards: 2, rate: 5, steps: 8 }));
afterAll(() => place[Symbol.dispose]());

/** Starts `lite`, which ends with the test, and waits until it is ready. */
async function serve(...args: readonly string[]): Promise<RunningCommand> {
  const command = start("lite", "--chain", chainFolder, "--port", "0", ...args);
  onTestFinished(() => command[Symbol.asyncDispose]());
  await until(() => command.stderr().endsWith("\n") || command.child.exitCode !== null);
  return command;
}

function clientOf(file: string): LiteClient {
  const client = liteClient(readGlobalConfig(file));
  onTestFinished(() => client.close());
  return client;
}

async function stop({ child, exit }: RunningCommand, signal: NodeJS.Signals): Promise<string> {
  child.kill(signal);
  const { code, stdout } = await exit;
  expect(code).toBe(0);
  return stdout;
}

describe("chain-query-server lite", () => {
  test("prints a configuration with which a client follows the chain, and ends at Ctrl-C with open connections", async () => {
    const command = await serve("--key-file", join(folder, "other.key"));
    // The configuration is written before the line, but through another pipe.
    writeFileSync(configFile, await until(command.stdout, (text) => text.endsWith("}\n")));
    const [{ port }] = JSON.parse(readFileSync(configFile, "utf8")).liteservers;
    const ready = `${chainFolder}: lite server at 127.0.0.1:${port}, masterchain block 8, until Ctrl-C\n`;
    expect(command.stderr()).toBe(ready);

    const chain = openChain(chainFolder);
    const client = clientOf(configFile);
    expect((await client.waitForHead()).block).toEqual(chain.head().block.id);
    await chain.close();
    // This process makes blocks, which the other serves.
    const producer = await openProducer(chainFolder);
    for (let step = 0; step < 3; step++) await producer.step();
    await producer.close();
    expect((await client.waitForHead({ seqno: 11 })).block.seqno).toBe(11);
    await stop(command, "SIGINT");
  });

  test("keeps its key from one start to the next, and writes the configuration to a file", async () => {
    const keys = new Set<string>();
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const command = await serve("--config-file", configFile);
      keys.add(JSON.parse(readFileSync(configFile, "utf8")).liteservers[0].id.key);
      expect((await clientOf(configFile).waitForHead()).block.seqno).toBeGreaterThan(7);
      expect(await stop(command, signal)).toBe("");
    }
    expect(keys.size).toBe(1);
    const names = readdirSync(chainFolder).filter((name) => !name.startsWith("chain.mdb"));
    expect(names.sort()).toEqual(["lite-server.key", "writer.lock"]);
    const other = readFileSync(join(folder, "other.key"), "utf8");
    expect(readFileSync(join(chainFolder, "lite-server.key"), "utf8")).not.toBe(other);
  });
});

/** The message with which the command ends, in this process, before it prints anything. */
async function refusal(...args: readonly string[]): Promise<string> {
  const command = parseArguments(["lite", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args], {});
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
    expect(await refusal("--chain", empty)).toEqual(`${empty} holds no chain: it has no file chain.mdb`);
    expect(readdirSync(empty)).toEqual([]);
  });

  test("an address that it cannot listen on", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const outcome = await refusal("--chain", chainFolder, "--port", String(port));
    other.close();
    expect(outcome).toEqual(`port ${port} is in use on 127.0.0.1; choose another, or 0 for any free port`);
  });

  test("a configuration file that cannot be written", async () => {
    const file = join(folder, "none", "config.json");
    const outcome = await refusal("--chain", chainFolder, "--config-file", file);
    expect(outcome).toEqual(`--config-file ${file}: ENOENT: no such file or directory, open '${file}'`);
  });
});
