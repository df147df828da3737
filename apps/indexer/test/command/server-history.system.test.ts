import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatGlobalConfig, liteChain } from "@chain-query/lite/answers";
import { type LiteBehaviour, startFaultyLiteServer } from "@chain-query/lite/faults";
import { openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { SMALL } from "@chain-query/testing/chains";
import { temporaryFolder } from "@chain-query/testing/folders";
import { expect, test } from "vitest";
import { readHistories } from "../../src/sources/open-source.ts";

test("asks all servers at the same time", async () => {
  await using resources = new AsyncDisposableStack();
  const chain = openChain(await madeChain(SMALL));
  resources.defer(() => chain.close());
  const asked = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const servers = await Promise.all(
    asked.map(async ({ resolve }, index) => {
      // No server answers before all are asked.
      const meeting: LiteBehaviour = {
        answer: async ({ call }, next) => {
          if (call.name === "lookupBlockWithProof") {
            resolve();
            await Promise.all(asked.map(({ promise }) => promise));
          }
          return next();
        },
      };
      const key = new Uint8Array(32).fill(index + 1);
      const server = await startFaultyLiteServer({ chain: liteChain(chain), key, behaviours: [meeting] });
      resources.defer(() => server.close());
      return server.config();
    }),
  );
  const [config = expect.unreachable()] = servers;
  const file = join(temporaryFolder(), "global.config.json");
  writeFileSync(file, formatGlobalConfig({ ...config, liteservers: servers.flatMap(({ liteservers }) => liteservers) }));
  const histories = await readHistories(file);
  expect(histories.map(({ oldest }) => oldest?.seqno)).toEqual([1, 1, 1]);
  await Promise.all(asked.map(({ promise }) => promise));
});
