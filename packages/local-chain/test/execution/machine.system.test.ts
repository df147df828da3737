import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { base64, CellBuilder, writeBoc } from "@chain-query/format/cells";
import { temporaryFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { contract, initialState } from "../../src/contracts/contract.ts";
import { createMachine, startMachine } from "../../src/execution/machine.ts";
import { genesisShardAccount } from "../../src/genesis/accounts.ts";
import { configuration } from "../../src/genesis/configuration.ts";
import { externalMessage } from "../../src/traffic/messages.ts";

const NOW = 1_700_000_000;
const clock = contract("clock", new CellBuilder().bigUint(0n, 64).cell());
const id = { workchain: -1, hash: initialState(clock).hash };
const zero = { workchain: 0, shard: -(2n ** 63n), seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };
const config = base64(writeBoc(configuration({ zero, shards: 1 }, NOW, [id.hash])));
const account = base64(
  writeBoc(genesisShardAccount({ id, balance: { coins: 10n ** 9n, extra: [] }, contract: clock, paidUntil: 0 })),
);
const at = (lt: bigint) => ({ config, account, time: NOW, lt, randomSeed: new Uint8Array(32).fill(1) });

describe("startMachine", () => {
  test("returns the results of a machine in this thread, in order", async () => {
    const [thread, here] = [startMachine(), await createMachine()];
    const lts = [1_000_001n, 2_000_001n, 3_000_001n];
    const answers = await Promise.all(lts.map((lt) => thread.tickTock("tick", at(lt))));
    expect(answers).toEqual(await Promise.all(lts.map((lt) => here.tickTock("tick", at(lt)))));
    expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(3);
    const notAccepted = writeBoc(externalMessage(id, new CellBuilder().uint(1, 8).cell()));
    expect(await thread.deliver(notAccepted, at(4_000_001n))).toEqual(await here.deliver(notAccepted, at(4_000_001n)));
    await thread.close();
  });

  test("rejects pending and later tasks after close", async () => {
    const thread = startMachine();
    const waiting = thread.tickTock("tick", at(1_000_001n));
    const refused = expect(waiting).rejects.toThrow("the machine's thread has ended");
    await thread.close();
    await refused;
    await expect(thread.tickTock("tick", at(1_000_001n))).rejects.toThrow("the machine's thread has ended");
  });

  test("does not keep the process alive", async () => {
    const script = join(temporaryFolder(), "forgetful.mts");
    const module = fileURLToPath(new URL("../../src/execution/machine.ts", import.meta.url));
    const call = `await thread.tickTock("tick", { config: "${config}", account: "${account}", time: ${NOW}, lt: 1000001n, randomSeed: new Uint8Array(32) })`;
    writeFileSync(
      script,
      `import { startMachine } from ${JSON.stringify(module)};
      const thread = startMachine();
      console.log("transaction" in (${call}));`,
    );
    expect((await promisify(execFile)(process.execPath, [script])).stdout).toBe("true\n");
  });
});
