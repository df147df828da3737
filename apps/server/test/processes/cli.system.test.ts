import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ask, resultOf } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { type RunningCommand, run, start, startWith } from "../fixtures/command.ts";
import { ready, serve, startLiteNetwork } from "../fixtures/lite-network.ts";
import { keyId, temporaryFolder } from "../fixtures/service.ts";

const root = new URL("../../../../", import.meta.url).href;

/** Modules that a service on a chain in a folder does not need, and which would make its start slower. */
const otherCommands = [
  "/packages/lite/",
  "/packages/postgres-store/dist/index.js",
  "/packages/local-chain/dist/index.js",
  // Readers need the validators of the genesis, not its states.
  "/packages/local-chain/dist/genesis/zero-states.js",
  ...["execution", "production", "traffic", "verify"].map((folder) => `/packages/local-chain/dist/${folder}/`),
  ...["ioredis", "postgres", "postgrator", "yaml", "@opentelemetry/sdk-trace"].map((name) => `/node_modules/${name}/`),
];

/** Has Node log the files that the command has loaded when it exits. */
const listLoaded = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from "node:module";
    import { isMainThread } from "node:worker_threads";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    if (isMainThread) process.on("exit", () => console.error(JSON.stringify({ loaded })));
  `)}`,
};

/** The files, from the root of the repository. */
function loadedBy(command: RunningCommand): string[] {
  const urls = command.log().find(({ loaded }) => loaded !== undefined)?.["loaded"] as string[];
  return urls.filter((url) => url.startsWith("file:")).map((url) => url.replace(root, "/"));
}

describe("chain-query-server", () => {
  test("prints its version, and loads only the package of command lines", async () => {
    await using command = startWith(listLoaded, "--version");
    expect(await command.exit).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
    const loaded = loadedBy(command);
    expect(loaded).toContain("/packages/command-line/dist/index.js");
    expect(loaded.filter((file) => !/^\/(apps\/server\/|packages\/command-line\/)/.test(file))).toEqual([]);
  });

  test("prints only its URL on stdout, applies added and revoked keys at once, and exits with 0 at SIGINT", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const flags = ["--port", "0", "--chain", testChain, "--no-produce", "--keys", keys, "--log-level", "silent"];
    await using command = startWith(listLoaded, ...flags);
    const url = await command.url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const key = (await run("keys", "add", "alice", "--rate", "0", "--keys", keys)).stdout.trim();
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(200);
    const id = keyId(key);
    expect(await run("keys", "revoke", id, "--keys", keys)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(401);
    command.child.kill("SIGINT");
    expect(await command.exit).toMatchObject({ code: 0, stdout: `${url}\n` });
    const loaded = loadedBy(command);
    expect(loaded).toContain("/packages/local-chain/dist/reading/chain-reader.js");
    expect(loaded.filter((file) => otherCommands.some((part) => file.includes(part)))).toEqual([]);
  });

  test("with a shutdown delay answers new connections after SIGTERM, until a second signal comes", async () => {
    using folder = temporaryFolder();
    const flags = ["--chain", testChain, "--no-produce", "--keys", join(folder.path, "keys"), "--keyless-rate", "0"];
    await using command = start("--port", "0", ...flags, "--shutdown-delay", "1h");
    const url = await command.url;
    command.child.kill("SIGTERM");
    const fresh = { headers: { connection: "close" } };
    await until(async () => (await fetch(`${url}/readyz`, fresh)).status === 503);
    expect((await fetch(`${url}/api/v2/getMasterchainInfo`, fresh)).status).toBe(200);
    command.child.kill("SIGTERM");
    expect((await command.exit).code).toBe(130);
  });

  test("leaves no key behind", async () => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const key = (await run("keys", "add", "alice", "--rate", "0", "--keys", keys)).stdout.trim();
    const flags = ["--chain", testChain, "--no-produce", "--keys", keys, "--log-level", "debug", "--log-requests"];
    await using command = start("--port", "0", ...flags);
    const url = await command.url;
    const own = { "x-api-key": key };
    const wrong = { "x-api-key": `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}` };
    const answers = await Promise.all([
      fetch(`${url}/api/v2/getMasterchainInfo`, { headers: own }),
      fetch(`${url}/nowhere?key=${key}`, { headers: own }),
      fetch(`${url}/api/v2/getMasterchainInfo?api_key=${key}`, { headers: own }),
      fetch(`${url}/api/v2/getMasterchainInfo`, { headers: wrong }),
      fetch(`${url}/metrics`, { headers: own }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 401, 200]);
    // Other users of the machine can read these.
    const { pid } = command.child;
    const files = process.platform === "linux" ? [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`] : [];
    const seen = [
      ...(await Promise.all(answers.map((answer) => answer.text()))),
      ...files.map((file) => readFileSync(file, "latin1")),
    ];
    await until(() => command.log().filter(({ msg }) => msg === "request completed").length === answers.length);
    command.child.kill("SIGTERM");
    const { stdout, stderr } = await command.exit;
    seen.push(stdout, stderr, ...readdirSync(keys).map((name) => readFileSync(join(keys, name), "latin1")));
    const secret = key.slice(-43);
    expect(seen.filter((one) => one.includes(secret.slice(0, 16)) || one.includes(secret.slice(-16)))).toEqual([]);
  });
});

test("reads its file again after a SIGHUP during the start", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(testChain, 2);
  network.configure([0]);
  await network.stop(0);
  await using command = serve(folder.path, network.config);
  // The process waits for a head now, before it listens.
  const hasLogged = (text: string) => command.log().some(({ msg }) => msg === text);
  await until(() => hasLogged("lite server failing, will be tried again"));
  network.configure([1]);
  command.child.kill("SIGHUP");
  const url = await command.url;
  await ready(url);
  expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
  await until(() => ["lite server connected", "listening"].every(hasLogged));
});
