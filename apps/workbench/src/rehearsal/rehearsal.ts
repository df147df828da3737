/** Two releases to a registry of its own, and consumers that install from there as the READMEs say. */
import { join } from "node:path";
import { distTag } from "../release/plan.ts";
import type { WorkspacePackage } from "../workspace/packages.ts";
import { type Clone, makeClone } from "./clone.ts";
import { type Consumer, makeConsumer } from "./consumer.ts";
import { startListener } from "./listener.ts";
import { managers } from "./managers.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { ProofFailed, type Score } from "./score.ts";
import { installed } from "./tools.ts";

interface NamedConsumer {
  readonly name: string;
  readonly consumer: Consumer;
}

/** Rehearses in a temporary folder. Resolves when every process that it started has ended. */
export async function rehearse(folder: string, score: Score, signal: AbortSignal): Promise<void> {
  try {
    const clone = await score.prove("the last commit is cloned", () => makeClone(join(folder, "clone"), signal));
    const [scope = ""] = clone.packages()[0]?.name.split("/") ?? [];
    const refused = packageWithDependents(clone.packages());
    const rules = { [refused]: "owner", [`${scope}/*`]: "owner helper" };
    await using registry = await score.prove("an empty registry starts", () =>
      startRegistry(join(folder, "registry"), rules, signal),
    );
    await using listener = await startListener();
    const bun = await score.prove("Bun is installed", () => installed("bun", signal));
    const owner = await firstRelease(clone, registry, refused, score);

    const tag = distTag(clone.packages()[0] ?? { name: scope, version: "" });
    const consumers = managers(bun, scope, registry.url).map(async (manager) => ({
      name: manager.name,
      consumer: await makeConsumer(join(folder, manager.name), manager, listener.port, signal),
    }));
    const working = await forAll(await Promise.all(consumers), async ({ name, consumer }) => {
      await score.prove(`${name} installs the client, the mock and the conformance kit`, () => consumer.install(tag));
      await score.prove(`${name} installs them again, from its lockfile`, () => consumer.installAgain());
      await score.prove(`${name}: nothing of the workspace is reachable`, () => consumer.isAlone());
      await followsTheReadmes(name, consumer, score);
    });

    await score.prove("no install script reported the installs", async () => {
      if (listener.calls() > 0) throw new Error(`install scripts reported ${listener.calls()} times`);
    });

    await score.prove("another changeset makes the next versions", () => clone.version("What the second release brings."));
    await score.prove("the second release publishes them", () => releases(clone, registry, owner));
    const versions = new Map(clone.packages().map(({ name, version }) => [name, version]));
    await forAll(working, async ({ name, consumer }) => {
      await score.prove(`${name} updates to the second release`, () => consumer.upgrade(versions));
      await followsTheReadmes(`${name}, updated`, consumer, score);
    });
  } catch (error) {
    if (!(error instanceof ProofFailed)) throw error;
  }
}

/** The first package that another one needs at run time. */
function packageWithDependents(packages: readonly WorkspacePackage[]): string {
  const needed = packages.find(({ name }) => packages.some(({ manifest }) => name in (manifest.dependencies ?? {})));
  if (needed === undefined) throw new Error("no package depends on another one");
  return needed.name;
}

/** Releases as a user who may not publish one of the packages, then as the owner, then with nothing new. */
async function firstRelease(clone: Clone, registry: Registry, refused: string, score: Score): Promise<string> {
  const helper = await registry.addUser("helper");
  const owner = await registry.addUser("owner");
  await score.prove("a changeset makes versions", () => clone.version("What the first release brings."));
  const packages = clone.packages();
  await score.prove(`a registry that refuses ${refused} ends the release before its dependents`, async () => {
    const { code, output } = await clone.release(registry.url, helper);
    if (code !== 2 || !output.includes("403")) throw new Error(`ended with ${code}:\n${output}`);
    const withheld = packages.filter(({ name, manifest }) => name === refused || refused in (manifest.dependencies ?? {}));
    await holds(registry, [], withheld);
  });
  await score.prove("the release, run again, publishes the rest", () => releases(clone, registry, owner));
  await score.prove("the registry has every public package, without workspace ranges", () => holds(registry, packages, []));
  await score.prove("the release, run once more, says that nothing is new", async () => {
    const { code, output } = await clone.release(registry.url, owner);
    if (code !== 2 || !output.includes("release: nothing is new")) throw new Error(`ended with ${code}:\n${output}`);
  });
  return owner;
}

async function releases(clone: Clone, registry: Registry, token: string): Promise<void> {
  const { code, output } = await clone.release(registry.url, token);
  if (code !== 0) throw new Error(`ended with ${code}:\n${output}`);
}

/** Rejects unless the registry has every package of `present`, ready to install, and no package of `absent`. */
async function holds(registry: Registry, present: readonly WorkspacePackage[], absent: readonly WorkspacePackage[]) {
  for (const { name, version } of present) {
    const manifest = await registry.manifest(name, version);
    if (manifest === undefined) throw new Error(`${name} ${version} is not in the registry`);
    const local = /"(workspace|catalog|link|file|portal):[^"]*"/.exec(JSON.stringify(manifest.dependencies ?? {}))?.[0];
    if (local !== undefined) throw new Error(`${name} ${version} depends on ${local}`);
    const tarball = await fetch(manifest.dist.tarball);
    if (!tarball.ok) throw new Error(`${name} ${version}: GET of the tarball has status ${tarball.status}`);
  }
  for (const { name, version } of absent) {
    if ((await registry.manifest(name, version)) !== undefined) throw new Error(`${name} ${version} was published`);
  }
}

async function followsTheReadmes(name: string, consumer: Consumer, score: Score): Promise<void> {
  await score.prove(`${name}: the README's first program runs against the mock`, () => consumer.quickStart());
  await score.prove(`${name}: the conformance kit judges the mock`, () => consumer.judge());
}

/** Runs the work for all consumers at once and resolves to those without a failed proof. */
async function forAll(consumers: readonly NamedConsumer[], work: (consumer: NamedConsumer) => Promise<void>) {
  const ends = await Promise.allSettled(consumers.map(work));
  const broken = ends.find((end) => end.status === "rejected" && !(end.reason instanceof ProofFailed));
  if (broken?.status === "rejected") throw broken.reason;
  return consumers.filter((_, index) => ends[index]?.status === "fulfilled");
}
