import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser, withLock } from "../src/browser.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-query-browser-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("findBrowser", () => {
  test("returns the executable that CHROME_PATH names", async () => {
    const named = join(folder, "chrome");
    await writeFile(named, "");
    expect(await findBrowser(named)).toBe(named);
  });

  test("throws if the named executable does not exist", async () => {
    await expect(findBrowser("/missing/chrome")).rejects.toThrow("CHROME_PATH is /missing/chrome, which does not exist");
  });
});

describe("withLock", () => {
  test("lets one task run at a time", async () => {
    const file = join(folder, "one.lock");
    let running = 0;
    let most = 0;
    const task = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all([withLock(file, task), withLock(file, task), withLock(file, task)]);
    expect(most).toBe(1);
  });

  test("releases the lock when the task fails", async () => {
    const file = join(folder, "failing.lock");
    await expect(withLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withLock(file, () => Promise.resolve("next"))).toBe("next");
  });

  test("takes over the lock of a process that has ended", async () => {
    const file = join(folder, "stale.lock");
    // Above the largest process id of Linux.
    await writeFile(file, "4194305");
    expect(await withLock(file, () => Promise.resolve("mine"))).toBe("mine");
  });
});
