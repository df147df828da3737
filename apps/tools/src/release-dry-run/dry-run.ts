/** The release dry run: two releases to a registry of its own, and consumers that install from there as the READMEs say. */
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { distTag } from "../release/publish.ts";
import { closingLine } from "../test/results.ts";
import { publicPackages, root, type WorkspacePackage } from "../workspace/packages.ts";
import { type CommandResult, machineEnvironment, namedPnpm, run, runChecked } from "../workspace/processes.ts";
import { type Consumer, makeConsumer, managers, startListener } from "./consumer.ts";
import { installed } from "./installed-tools.ts";
import { type Registry, startRegistry } from "./registry.ts";

interface NamedConsumer {
  readonly name: string;
  readonly consumer: Consumer;
}

/** Runs in a temporary folder. Resolves when every process that it started has ended. */
export async function dryRun(folder: string, steps: Steps, signal: AbortSignal): Promise<void> {
  try {
    const clone = await steps.run("the last commit is cloned", () => makeClone(join(folder, "clone"), signal));
    const [scope = ""] = clone.packages()[0]?.name.split("/") ?? [];
    await using registry = await steps.run("an empty registry starts", () =>
      startRegistry(join(folder, "registry"), { [`${scope}/*`]: "owner" }, signal),
    );
    await using listener = await startListener();
    const bun = await steps.run("Bun is installed", () => installed("bun", signal));
    const owner = await firstRelease(clone, registry, steps);

    const tag = distTag(clone.packages()[0] ?? { name: scope, version: "" });
    const consumers = managers(bun, scope, registry.url).map(async (manager) => ({
      name: manager.name,
      consumer: await makeConsumer(join(folder, manager.name), manager, listener.port, signal),
    }));
    const working = await forAll(await Promise.all(consumers), async ({ name, consumer }) => {
      await steps.run(`${name} installs the client, the mock and the conformance kit`, () => consumer.install(tag));
      await steps.run(`${name} installs them again, from its lockfile`, () => consumer.reinstall());
      await steps.run(`${name}: nothing of the workspace is reachable`, () => consumer.checkIsolation());
      await followsTheReadmes(name, consumer, steps);
    });

    await steps.run("no install script reported the installs", async () => {
      if (listener.calls() > 0) throw new Error(`install scripts reported ${listener.calls()} times`);
    });

    await steps.run("another changeset makes the next versions", () => clone.version("The second release."));
    await steps.run("the second release publishes them", () => releases(clone, registry, owner));
    const versions = new Map(clone.packages().map(({ name, version }) => [name, version]));
    await forAll(working, async ({ name, consumer }) => {
      await steps.run(`${name} updates to the second release`, () => consumer.upgrade(versions));
      await followsTheReadmes(`${name}, updated`, consumer, steps);
    });
  } catch (error) {
    if (error !== stepFailed) throw error;
  }
}

/** Resolves to the token of the owner. */
async function firstRelease(clone: Clone, registry: Registry, steps: Steps): Promise<string> {
  const owner = await registry.addUser("owner");
  await steps.run("a changeset makes versions", () => clone.version("The first release."));
  await steps.run("the first release publishes them", () => releases(clone, registry, owner));
  await steps.run("the registry has every public package, without workspace ranges", () => holds(registry, clone.packages()));
  return owner;
}

async function releases(clone: Clone, registry: Registry, token: string): Promise<void> {
  const { code, output } = await clone.release(registry.url, token);
  if (code !== 0) throw new Error(`ended with ${code}:\n${output}`);
}

/** Rejects unless the registry has every package, ready to install. */
async function holds(registry: Registry, packages: readonly WorkspacePackage[]) {
  for (const { name, version } of packages) {
    const manifest = await registry.manifest(name, version);
    if (manifest === undefined) throw new Error(`${name} ${version} is not in the registry`);
    const local = /"(workspace|catalog|link|file|portal):[^"]*"/.exec(JSON.stringify(manifest.dependencies ?? {}))?.[0];
    if (local !== undefined) throw new Error(`${name} ${version} depends on ${local}`);
    const tarball = await fetch(manifest.dist.tarball);
    if (!tarball.ok) throw new Error(`${name} ${version}: GET of the tarball has status ${tarball.status}`);
  }
}

async function followsTheReadmes(name: string, consumer: Consumer, steps: Steps): Promise<void> {
  await steps.run(`${name}: the README's first program runs against the mock`, () => consumer.runQuickStart());
  await steps.run(`${name}: the conformance kit passes against the mock`, () => consumer.checkConformance());
}

/** Runs the work for all consumers at once and resolves to the consumers without a failed step. */
async function forAll(consumers: readonly NamedConsumer[], work: (consumer: NamedConsumer) => Promise<void>) {
  const ends = await Promise.allSettled(consumers.map(work));
  const broken = ends.find((end) => end.status === "rejected" && end.reason !== stepFailed);
  if (broken?.status === "rejected") throw broken.reason;
  return consumers.filter((_, index) => ends[index]?.status === "fulfilled");
}

/** The steps of a dry run. */
interface Steps {
  /** Runs a step. If it rejects, prints the message, counts a failure and throws `stepFailed`. */
  run<Found>(title: string, work: () => Promise<Found>): Promise<Found>;
  /** The closing line, and whether all steps passed. */
  result(): { line: string; passed: boolean };
}

/** A step failed, and its message was printed. */
const stepFailed = new Error("a step failed");

/** Prints each step to a terminal, and only the failed ones to a pipe. */
export function printSteps(terminal: boolean, print: (line: string) => void, signal: AbortSignal): Steps {
  let passed = 0;
  let failed = 0;
  return {
    async run(title, work) {
      if (terminal) print(`     … ${title}`);
      const started = performance.now();
      try {
        const found = await work();
        passed++;
        if (terminal) print(`ok     ${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
        return found;
      } catch (error) {
        signal.throwIfAborted();
        failed++;
        print(`failed ${title}\n${indented(error)}`);
        throw stepFailed;
      }
    },
    result: () => ({ line: closingLine({ passed, failed, skipped: 0 }), passed: failed === 0 && passed > 0 }),
  };
}

function indented(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const shown = lines.length <= 60 ? lines : [...lines.slice(0, 20), `… ${lines.length - 60} lines …`, ...lines.slice(-40)];
  return shown.map((line) => `    ${line}`).join("\n");
}

/** A clone of the last commit, and the commands of a maintainer there. */
interface Clone {
  folder: string;
  /** The packages that it publishes. */
  packages(): WorkspacePackage[];
  /** Writes a changeset that raises every public package, makes the versions and commits them. */
  version(summary: string): Promise<void>;
  /** Runs `pnpm release` against a registry with a token and resolves with any exit code. */
  release(registry: string, token: string): Promise<CommandResult>;
}

/** Clones into a folder that does not exist yet. */
async function makeClone(folder: string, signal: AbortSignal): Promise<Clone> {
  const identity = { NAME: "dry run", EMAIL: "dry-run@localhost" };
  const env = {
    ...machineEnvironment(),
    ...Object.fromEntries(
      Object.entries(identity).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
  await runChecked(["git", "clone", "--quiet", root, folder], { cwd: root, env, signal });
  const here = { cwd: folder, env, signal };
  await mkdir(join(folder, ".git/info"), { recursive: true });
  await appendFile(join(folder, ".git/info/exclude"), ".npmrc\n");
  const packages = () => publicPackages(folder);

  return {
    folder,
    packages,
    async version(summary) {
      const raised = packages().map(({ name }) => `"${name}": minor\n`);
      await writeFile(join(folder, ".changeset/dry-run.md"), `---\n${raised.join("")}---\n\n${summary}\n`);
      await runChecked(["git", "add", "--all"], here);
      await runChecked(["git", "commit", "--quiet", "--message", "dry run: a changeset"], here);
      await runChecked([...namedPnpm, "run", "version"], here);
      await runChecked(["git", "add", "--all"], here);
      await runChecked(["git", "commit", "--quiet", "--message", "dry run: versions"], here);
    },
    async release(registry, token) {
      const scope = packages()[0]?.name.split("/")[0];
      const lines = [`${scope}:registry=${registry}`, `${registry.replace(/^https?:/, "")}:_authToken=${token}`];
      await writeFile(join(folder, ".npmrc"), `${lines.join("\n")}\n`);
      return run([...namedPnpm, "--silent", "run", "release"], here);
    },
  };
}
