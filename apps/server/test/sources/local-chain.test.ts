import { cpSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readIdentity } from "../../src/sources/chain-identity.ts";
import { folderProblem, localChainSource } from "../../src/sources/local-chain.ts";
import { copyChain, testChain } from "../fixtures/chain.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const { signal } = new AbortController();

describe("a chain whose folder changes", () => {
  test("is noticed when its file is removed, replaced, unreadable or restored, and still reads the one that it opened", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const identity = await readIdentity(chain);
    const source = localChainSource(chain, { identity });
    try {
      const head = await source.head(signal);
      const removed = "the chain of this service was removed or replaced";
      expect(folderProblem(chain, identity)).toBeUndefined();
      renameSync(chain, `${chain}.away`);
      expect(folderProblem(chain, identity)).toBe(removed);
      expect(await source.head(signal)).toEqual(head);
      symlinkSync(chain, chain);
      expect(folderProblem(chain, identity)).toBe("the chain of this service cannot be read");
      rmSync(chain);
      // A copy is another file: its head may be older.
      cpSync(`${chain}.away`, chain, { recursive: true });
      expect(folderProblem(chain, identity)).toBe(removed);
      rmSync(chain, { recursive: true });
      renameSync(`${chain}.away`, chain);
      expect(folderProblem(chain, identity)).toBeUndefined();
    } finally {
      await source.close();
    }
  });

  test("is not opened if another one is expected", async () => {
    using folder = temporaryFolder();
    const identity = await readIdentity(testChain);
    expect(() => localChainSource(copyChain(folder.path), { identity })).toThrow(/was replaced: it holds another chain/);
  });
});
