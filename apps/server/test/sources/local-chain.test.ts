import { cpSync, renameSync, rmSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { readIdentity } from "../../src/sources/chain-identity.ts";
import { localChainSource } from "../../src/sources/local-chain.ts";
import { copyChain, testChain } from "../fixtures/chain.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const { signal } = new AbortController();

describe("a chain whose folder changes", () => {
  test("cannot be read while its file is removed or replaced, and can be read when it is restored", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const changes: (string | undefined)[] = [];
    const source = localChainSource(chain, { onFolderChange: (problem) => changes.push(problem) });
    try {
      expect(await source.head(signal)).toBeDefined();
      renameSync(chain, `${chain}.away`);
      vi.advanceTimersByTime(1000);
      expect(() => source.head(signal)).toThrow("the chain of this service was removed or replaced");
      expect(() => source.shards(signal)).toThrow(expect.objectContaining({ kind: "unavailable" }));
      // A copy is another file: its head may be older.
      cpSync(`${chain}.away`, chain, { recursive: true });
      vi.advanceTimersByTime(3000);
      expect(() => source.head(signal)).toThrow();
      rmSync(chain, { recursive: true });
      renameSync(`${chain}.away`, chain);
      vi.advanceTimersByTime(1000);
      expect(await source.head(signal)).toBeDefined();
      expect(changes).toEqual([
        expect.stringContaining("chain.mdb was removed"),
        expect.stringContaining("was replaced"),
        undefined,
      ]);
    } finally {
      await source.close();
      vi.useRealTimers();
    }
  });

  test("is not opened if another one is expected", async () => {
    using folder = temporaryFolder();
    const identity = await readIdentity(testChain);
    expect(() => localChainSource(copyChain(folder.path), { identity })).toThrow(/was replaced: it holds another chain/);
  });
});
