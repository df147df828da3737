/** The command on lite servers reads its file of them again at SIGHUP. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createChain } from "@chain-query/local-chain";
import { describe, expect, test } from "vitest";
import { resultOf, until } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { kept, messages, namesOf, ready, serve, workerListening } from "../fixtures/lite-command.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

describe("the service on lite servers", () => {
  test.each([1, 2])(
    "reads its file again at SIGHUP, and keeps the old servers if it cannot, with %i workers",
    async (workers) => {
      using folder = temporaryFolder();
      await using network = await startLiteNetwork(testChain, 2);
      network.configure([0]);
      await using command = serve(folder.path, network.config, "--workers", String(workers));
      const url = await command.url;
      await ready(url);
      const old = await namesOf(url, workers);
      const good = readFileSync(network.config, "utf8");
      writeFileSync(network.config, "{");
      command.child.kill("SIGHUP");
      await until(() => messages(command).includes(kept) || undefined);
      expect(command.log().find(({ msg }) => msg === kept)).toMatchObject({
        reason: expect.stringContaining(`--lite-servers ${network.config}: config: must be JSON`),
      });
      expect(await namesOf(url, workers)).toEqual(old);
      writeFileSync(network.config, good);
      network.configure([1]);
      command.child.kill("SIGHUP");
      const read = "reading from the lite servers of the new file";
      await until(() => messages(command).filter((msg) => msg === read).length === workers || undefined);
      // The page is made once a second.
      const names = await until(async () => {
        const now = await namesOf(url, workers);
        return now.some((name) => old.includes(name)) ? undefined : now;
      });
      expect(new Set(names).size).toBe(1);
      await network.stop(0);
      expect((await resultOf(url, "getOutMsgQueueSize")).shards.length).toBe(5);
    },
  );

  test("reads its file again after a SIGHUP during the start", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 2);
    network.configure([0]);
    await network.stop(0);
    await using command = serve(folder.path, network.config);
    // The process waits for a head now, before it listens.
    await until(() => messages(command).includes("lite server failing, will be tried again") || undefined);
    network.configure([1]);
    command.child.kill("SIGHUP");
    const url = await command.url;
    await ready(url);
    expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
  });

  // Side by side: they wait for a timeout of ten seconds.
  test.concurrent.each([1, 2])("keeps the old servers if the new ones do not answer, with %i workers", async (workers) => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 2);
    network.configure([0]);
    await using command = serve(folder.path, network.config, "--workers", String(workers));
    const url = await command.url;
    await ready(url);
    const old = await namesOf(url, workers);
    await network.stop(1);
    network.configure([1]);
    command.child.kill("SIGHUP");
    await until(() => messages(command).includes(kept) || undefined);
    expect(command.log().filter(({ msg }) => msg === kept)).toMatchObject([
      { reason: "none of its servers names a masterchain block within 10 s" },
    ]);
    expect(await namesOf(url, workers)).toEqual(old);
    expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
  });

  test("does not use servers of another network, also in a worker that starts later", async () => {
    using folder = temporaryFolder();
    const otherChain = join(folder.path, "other");
    await createChain(otherChain, { seed: 2, startTime: Math.floor(Date.now() / 1000) - 60, accounts: 10 });
    await using network = await startLiteNetwork(testChain, 1);
    await using other = await startLiteNetwork(otherChain, 1);
    await using command = serve(folder.path, network.config, "--workers", "2");
    const url = await command.url;
    await ready(url);
    const old = await namesOf(url, 2);
    copyFileSync(other.config, network.config);
    command.child.kill("SIGHUP");
    await until(() => messages(command).includes(kept) || undefined);
    const [pid] = command.pids(workerListening);
    if (pid === undefined) throw new Error("the log names the workers");
    process.kill(pid, "SIGKILL");
    await until(() => command.pids(workerListening).length === 3 || undefined);
    expect(await namesOf(url, 2)).toEqual(old);
    expect(command.log().filter(({ msg }) => msg === kept)).toMatchObject([
      { reason: "its zero_state is that of another network" },
    ]);
  });

  test("reads its file again also in a worker that starts meanwhile", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 2);
    network.configure([0]);
    await using command = serve(folder.path, network.config, "--workers", "2");
    const url = await command.url;
    await ready(url);
    const old = await namesOf(url, 2);
    await network.stop(0);
    const [pid] = command.pids(workerListening);
    if (pid === undefined) throw new Error("the log names the workers");
    process.kill(pid, "SIGKILL");
    const sinceDeath = () => {
      const lines = command.log();
      const death = lines.findIndex(({ msg }) => msg === "worker died, restarting");
      return death < 0 ? [] : lines.slice(death).map(({ source, msg }) => `${source}: ${msg}`);
    };
    const number = command.log().find(({ msg }) => msg === workerListening)?.["worker"];
    // It has read the old list, and waits for a head before it listens.
    await until(() => sinceDeath().includes(`worker ${number}: lite server failing, will be tried again`) || undefined);
    network.configure([1]);
    command.child.kill("SIGHUP");
    await until(async () => (await namesOf(url, 2)).every((name) => !old.includes(name)) || undefined);
  });
});
