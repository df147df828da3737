import { cpSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { openChain } from "@chain-query/local-chain/reader";
import { describe, expect, test } from "vitest";
import { createLog } from "../../src/observability/log.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { openSource } from "../../src/processes/open-chain.ts";
import { folderProblem, readIdentity } from "../../src/sources/chain-identity.ts";
import { copyChain, testChain } from "../fixtures/chain.ts";
import { serviceOptions, temporaryFolder } from "../fixtures/service.ts";

describe("a chain whose folder changes", () => {
  test("is noticed when its file is removed, replaced, unreadable or restored, and still reads the one that it opened", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const identity = await readIdentity(chain);
    const source = openChain(chain);
    try {
      const head = await source.head();
      const removed = "the chain of this service was removed or replaced";
      expect(folderProblem(chain, identity)).toBeUndefined();
      renameSync(chain, `${chain}.away`);
      expect(folderProblem(chain, identity)).toBe(removed);
      expect(await source.head()).toEqual(head);
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
    const chain = { kind: "chain", folder: copyChain(folder.path), produce: false, blockInterval: 1, keys: "" } as const;
    const opening = openSource(
      { ...serviceOptions, source: chain },
      { identity, log: createLog("silent") },
      createMetrics(async () => undefined),
    );
    await expect(opening).rejects.toThrow(/was replaced: it holds another chain/);
  });
});
