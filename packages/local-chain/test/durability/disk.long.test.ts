/** Full disks and read-only folders, by limits of the OS. */
import { chmodSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";
import { command, invoke, type Outcome, runProcess } from "../command/invoke.ts";

/** Runs the command with a maximum file size, in blocks of 512 bytes. */
function runWithLimit(blocks: number, ...args: readonly string[]): Promise<Outcome> {
  return runProcess("sh", ["-c", `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, "sh", process.execPath, command, ...args]);
}

/** Runs commands in this process as a user without permissions, if this process may change the user. */
async function unprivileged(use: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await use();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe("a full disk", () => {
  test("ends the writer with one line after a complete step, and the chain continues when there is space", async () => {
    const directory = join(temporaryFolder(), "chain");
    await createChain(directory, { seed: 3, accounts: 20, shards: 1, rate: 10 });
    // Some blocks more than the chain has now.
    const blocks = statSync(join(directory, "chain.mdb")).size / 512 + 400;
    const { code, stdout, stderr } = await runWithLimit(blocks, "advance", directory, "10000");
    expect(stderr).toMatch(/^chain-query-local-chain: step \d+ could not be written: [^\n]*full[^\n]*\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const { steps } = await verifyChain(directory);
    expect(steps).toBeGreaterThan(0);
    expect(stderr).toContain(`step ${steps + 1} `);
    expect(await invoke("advance", directory, "2")).toMatchObject({ code: 0 });
    expect((await verifyChain(directory)).steps).toBe(steps + 2);
  });

  test("ends an init with one line, and leaves no files", async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await runWithLimit(300, "init", join(folder, "a", "chain"), "--seed", "3");
    expect(stderr).toMatch(/^chain-query-local-chain: \S+ cannot be written: [^\n]*full[^\n]*\n$/);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a read-only folder", () => {
  test("can be read and verified, and refuses a writer with one line", async () => {
    const folder = temporaryFolder();
    const directory = join(folder, "chain");
    await createChain(directory, { seed: 3, accounts: 5, shards: 1 });
    chmodSync(folder, 0o755);
    chmodSync(directory, 0o555);
    const before = readFileSync(join(directory, "chain.mdb"));
    await unprivileged(async () => {
      for (const args of [
        ["advance", directory, "1"],
        ["run", directory],
        ["init", join(directory, "other"), "--seed", "1"],
      ]) {
        const { code, error } = await invoke(...args);
        expect(error).toMatch(/^\S+ cannot be written: this user has no write permission$/);
        expect(code).toBe(2);
      }
      for (const verb of ["verify", "inspect"]) {
        expect(await invoke(verb, directory)).toMatchObject({ code: 0, error: "" });
      }
    });
    expect(readFileSync(join(directory, "chain.mdb")).equals(before)).toBe(true);
    chmodSync(directory, 0o755);
    const chain = openChain(directory);
    expect(chain.head().block.id.seqno).toBe(0);
    await chain.close();
  });

  test("with a truncated file cannot be read, with an error of one line", async () => {
    const folder = temporaryFolder();
    const directory = join(folder, "chain");
    const file = join(directory, "chain.mdb");
    await createChain(directory, { seed: 3, accounts: 5, shards: 1 });
    const length = statSync(file).size - 4096;
    truncateSync(file, length);
    chmodSync(folder, 0o755);
    chmodSync(directory, 0o555);
    chmodSync(file, 0o444);
    const error = `${file} is cut off: it has ${length} bytes and should have ${length + 4096}`;
    await unprivileged(async () => expect(await invoke("inspect", directory)).toEqual({ code: 2, stdout: "", error }));
    expect(statSync(file).size).toBe(length);
    chmodSync(directory, 0o755);
  });
});
