/** `pnpm release:dry-run`: the next release, from version to quick start, with a registry on this machine. */
import { appendFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { codeBlocks } from "@chain-query/testing/markdown";
import { end, namedPnpm, pnpmCommand, type RunOptions, resultOf, run, runChecked, start } from "@chain-query/testing/processes";
import { runCommand } from "../workspace/command-line.ts";
import { publicPackages, root } from "../workspace/packages.ts";
import { git, machineEnvironment } from "../workspace/processes.ts";
import { type Registry, startRegistry } from "./registry.ts";

const scope = "@chain-query";
const installs = ["client", "mock", "conformance"].map((name) => `${scope}/${name}`);
const readmeUrl = "http://127.0.0.1:4010";

const identity = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "dry run"],
    [`GIT_${role}_EMAIL`, "dry-run@localhost"],
  ]),
);

const notes = `Clones the last commit, makes versions from its changesets, tags, publishes to an empty registry, checks the docs of the tag,
installs the packages with npm and pnpm in empty folders, and runs there what the README of the published client says.
Nothing is published anywhere else, and the checkout does not change. Verdaccio is installed once into
CHAIN_QUERY_CACHE, or chain-query in the user's cache folder.`;

await runCommand(
  "release:dry-run",
  { "": { summary: "makes the next release of the last commit to a registry on this machine", flags: {} } },
  async () => {
    if (git(root, "status", "--porcelain") !== "") {
      console.error("release:dry-run: warning: uncommitted changes are not part of the dry run");
    }
    const stop = new AbortController();
    // Not `once`: signal-exit, which Verdaccio loads, kills a process that has no listener left.
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort(name));
    const folder = await realpath(await mkdtemp(join(tmpdir(), "chain-query-dry-run-")));
    // Temporary files of the tools are removed with the folder.
    process.env["TMPDIR"] = await mkdtemp(join(folder, "tmp-"));
    let passed = 0;
    const step = async <Found>(title: string, work: () => Promise<Found>): Promise<Found> => {
      const begun = performance.now();
      const found = await work().catch((error: unknown) => {
        stop.signal.throwIfAborted();
        console.log(`failed ${title}`);
        throw error;
      });
      passed++;
      console.log(`ok     ${title}, ${Math.round((performance.now() - begun) / 1000)} s`);
      return found;
    };
    try {
      await dryRun(folder, step, stop.signal);
      console.log(`${passed} passed, 0 failed`);
      return 0;
    } catch (error) {
      if (stop.signal.aborted) return 128 + constants.signals[stop.signal.reason as NodeJS.Signals];
      console.log(`${error instanceof Error ? error.message : error}\n${passed} passed, 1 failed`);
      return 1;
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  },
  notes,
);

type Step = <Found>(title: string, work: () => Promise<Found>) => Promise<Found>;

/** Runs in a temporary folder. Resolves when every process that it started has ended. */
async function dryRun(folder: string, step: Step, signal: AbortSignal): Promise<void> {
  const clone: RunOptions = { cwd: join(folder, "clone"), env: { ...machineEnvironment(), ...identity }, signal };
  await step("the last commit is cloned", () =>
    runChecked(["git", "clone", "--quiet", root, clone.cwd], { ...clone, cwd: folder }),
  );
  await appendFile(join(clone.cwd, ".git/info/exclude"), ".npmrc\n");
  await using registry = await step("an empty registry starts", () =>
    startRegistry(join(folder, "registry"), { [`${scope}/*`]: "owner" }, signal),
  );
  await step("the changesets become versions", async () => {
    await runChecked([...namedPnpm, "run", "version"], clone);
    await runChecked(["git", "add", "--all"], clone);
    await runChecked(["git", "commit", "--quiet", "--message", "versions"], clone);
  });
  const packages = publicPackages(clone.cwd);
  const version = packages.find(({ name }) => name === installs[0])?.version ?? "";
  await step(`the release of ${version} publishes them`, async () => {
    const token = await registry.addUser("owner");
    const lines = [`${scope}:registry=${registry.url}`, `${registry.url.replace(/^https?:/, "")}:_authToken=${token}`];
    await writeFile(join(clone.cwd, ".npmrc"), `${lines.join("\n")}\n`);
    await runChecked([...namedPnpm, "--silent", "run", "release"], clone);
  });
  await step("the registry has every public package, without workspace ranges", () => holds(registry, packages));
  await step("the contract is tagged, and the docs are those of the tag", async () => {
    const tags = await runChecked(["git", "tag", "--points-at", "HEAD"], clone);
    if (!tags.split("\n").includes(`${scope}/openapi@${version}`)) throw new Error(`no tag of ${version}, but\n${tags}`);
    const site = join(folder, "site");
    // What the release has built of this commit.
    const cache = join(clone.cwd, "dist/release-cache", git(clone.cwd, "rev-parse", "HEAD").trim());
    const env = { ...clone.env, TURBO_CACHE_DIR: cache };
    const ready = await runChecked(["bash", "apps/docs/publish.sh", site], { ...clone, env });
    if (ready !== "ready=true\n") throw new Error(`the docs would not be deployed:\n${ready}`);
    for (const page of ["index.html", `v/${version}/index.html`]) await readFile(join(site, page));
  });
  for (const manager of managers(registry.url)) {
    const cwd = join(folder, manager.name);
    const here: RunOptions = { cwd, env: { ...machineEnvironment(), ...manager.env(`${cwd}-cache`) }, signal };
    await step(`${manager.name} installs client, mock and conformance kit in an empty folder`, async () => {
      await mkdir(cwd);
      await writeFile(join(cwd, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
      for (const [name, text] of Object.entries(manager.files)) await writeFile(join(cwd, name), text);
      await runChecked([...manager.add, ...installs], here);
    });
    await withMock([...manager.execute, "chain-query-mock"], here, async (url) => {
      await step(`${manager.name}: the first program of the published README prints what it says`, () => quickStart(here, url));
      // The kit that npm has installed passes in the matrix of the client.
      if (manager.name === "npm") return;
      await step(`${manager.name}: the conformance kit passes on the mock`, async () => {
        const { code, output } = await run([...manager.execute, "chain-query-conformance", url, "--seed", "1"], here);
        if (code !== 0 || !/: [1-9]\d* passed, 0 failed/.test(output)) throw new Error(`ended with ${code}:\n${output}`);
      });
    });
  }
}

/** Rejects unless the registry has every package, ready to install. */
async function holds(registry: Registry, packages: readonly { name: string; version: string }[]): Promise<void> {
  for (const { name, version } of packages) {
    const manifest = await registry.manifest(name, version);
    if (manifest === undefined) throw new Error(`${name}@${version} is not there`);
    const range = Object.values(manifest.dependencies ?? {}).find((each) => /^(workspace|catalog):/.test(each));
    if (range !== undefined) throw new Error(`${name}@${version} depends on ${range}`);
  }
}

/** Runs the first program of the installed client's README against a mock. */
async function quickStart(here: RunOptions, url: string): Promise<void> {
  const readme = await readFile(join(here.cwd, "node_modules", scope, "client/README.md"), "utf8");
  const [program] = codeBlocks(readme, "ts");
  if (!program?.text.includes(readmeUrl)) throw new Error(`the README's first program does not ask ${readmeUrl}`);
  await writeFile(join(here.cwd, "quick-start.ts"), program.text.replaceAll(readmeUrl, url));
  const output = await runChecked([process.execPath, "quick-start.ts"], here);
  if (output !== program.printed?.text) throw new Error(`expected\n${program.printed?.text}got\n${output}`);
}

/** Runs the installed mock during the work. */
async function withMock(command: readonly string[], here: RunOptions, work: (url: string) => Promise<void>): Promise<void> {
  const mock = start([...command, "--port", "0", "--quiet"], here);
  const url = Promise.withResolvers<string>();
  const ended = resultOf(mock, (output) => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (found !== undefined) url.resolve(found);
  });
  ended.then(({ code, output }) => url.reject(new Error(`the mock ended with ${code}:\n${output}`)), url.reject);
  try {
    await work(await url.promise);
  } finally {
    end(mock);
    await ended.catch(() => {});
  }
}

/** The commands of npm and pnpm, with the packages of the scope from `registry`. */
function managers(registry: string) {
  const npmrc = { ".npmrc": `${scope}:registry=${registry}\n` };
  const pnpm = pnpmCommand();
  return [
    {
      name: "npm",
      files: npmrc,
      env: (cache: string) => ({ npm_config_cache: cache }),
      add: ["npm", "install", "--no-audit", "--no-fund"],
      execute: ["npx"],
    },
    {
      name: "pnpm",
      // pnpm refuses versions that are younger than a day.
      files: { ...npmrc, "pnpm-workspace.yaml": `minimumReleaseAgeExclude: ["${scope}/*"]\n` },
      env: (cache: string) => ({ pnpm_config_store_dir: join(cache, "store"), pnpm_config_cache_dir: cache }),
      add: [...pnpm, "add"],
      execute: [...pnpm, "exec"],
    },
  ];
}
