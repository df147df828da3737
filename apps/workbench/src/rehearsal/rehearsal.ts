/** The whole of it: two releases to a registry of its own, and strangers who install from there. */
import { join } from "node:path";
import type { WorkspacePackage } from "../release/packages.ts";
import { distTag } from "../release/publishing.ts";
import { publishedManifest } from "./catalogue.ts";
import { type Clone, makeClone } from "./clone.ts";
import { type Consumer, makeConsumer } from "./consumer.ts";
import { startListener } from "./listener.ts";
import { managers } from "./managers.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { GivenUp, type Score } from "./score.ts";
import { installed } from "./tools.ts";

interface Stranger {
  name: string;
  consumer: Consumer;
}

/** Rehearses in a folder that is thrown away afterwards. Resolves when nothing that it started is left. */
export async function rehearse(folder: string, score: Score, signal: AbortSignal): Promise<void> {
  try {
    const clone = await score.prove("the last commit is cloned", () => makeClone(join(folder, "clone"), signal));
    const [scope = ""] = clone.packages()[0]?.name.split("/") ?? [];
    const refused = clone.packages()[2]?.name ?? "";
    const rules = { [refused]: "owner", [`${scope}/*`]: "owner helper" };
    await using registry = await score.prove("an empty registry starts", () =>
      startRegistry(join(folder, "registry"), rules, signal),
    );
    await using listener = await startListener();
    const bun = await score.prove("Bun is there", () => installed("bun", signal));
    const owner = await firstRelease(clone, registry, score);

    const tag = distTag(clone.packages()[0] ?? { name: scope, version: "" });
    const strangers = managers(bun, scope, registry.url).map(async (manager) => ({
      name: manager.name,
      consumer: await makeConsumer(join(folder, manager.name), manager, listener.port, signal),
    }));
    const happy = await allThat(await Promise.all(strangers), async ({ name, consumer }) => {
      await score.prove(`${name} installs the client, the mock and the conformance kit`, () => consumer.install(tag));
      await score.prove(`${name} installs them again, from its lockfile`, () => consumer.installAgain());
      await score.prove(`${name}: nothing of the workspace is reachable`, () => consumer.isAlone());
      await asTheReadmesSay(name, consumer, score);
    });

    await score.prove("nobody was told of the installs", async () => {
      if (listener.calls() > 0) throw new Error(`install scripts reported ${listener.calls()} times`);
    });

    await score.prove("another changeset makes the next versions", () => clone.version("What the second release brings."));
    await score.prove("the second release publishes them", () => releases(clone, registry, owner));
    const versions = new Map(clone.packages().map(({ name, version }) => [name, version]));
    await allThat(happy, async ({ name, consumer }) => {
      await score.prove(`${name} updates to the second release`, () => consumer.upgrade(versions));
      await asTheReadmesSay(`${name}, updated`, consumer, score);
    });
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
  }
}

/** Releases as one who may not publish the third package, then as one who may, then where nothing is new. */
async function firstRelease(clone: Clone, registry: Registry, score: Score): Promise<string> {
  const helper = await registry.addUser("helper");
  const owner = await registry.addUser("owner");
  await score.prove("a changeset makes versions", () => clone.version("What the first release brings."));
  const packages = clone.packages();
  await score.prove(`a registry that refuses ${packages[2]?.name} ends the release with one line`, async () => {
    const { code, output } = await clone.release(registry.url, helper);
    const last = output.trimEnd().split("\n").at(-1) ?? "";
    if (code !== 2 || !/ refuses .*403.*; 2 published before it, run it again to go on$/.test(last))
      throw new Error(`ended with ${code}:\n${output}`);
    await holds(registry, packages.slice(0, 2), packages.slice(2));
  });
  await score.prove("the release, run again, goes on from there", async () => {
    const said = await releases(clone, registry, owner);
    if (!said.includes(`${packages.length - 2} published to `)) throw new Error(`did not publish the rest:\n${said}`);
  });
  await score.prove("the registry has every public package, and nothing that only the workspace knows", () =>
    holds(registry, packages, []),
  );
  await score.prove("the release, run once more, says that nothing is new", async () => {
    const { code, output } = await clone.release(registry.url, owner);
    if (code !== 2 || !/^release: nothing is new/m.test(output)) throw new Error(`ended with ${code}:\n${output}`);
  });
  return owner;
}

async function releases(clone: Clone, registry: Registry, token: string): Promise<string> {
  const { code, output } = await clone.release(registry.url, token);
  if (code !== 0) throw new Error(`ended with ${code}:\n${output}`);
  return output;
}

/** The registry has these versions, whole and installable anywhere, and not those. */
async function holds(registry: Registry, there: readonly WorkspacePackage[], missing: readonly WorkspacePackage[]) {
  for (const { name, version } of there) {
    const manifest = await publishedManifest(registry.url, name, version);
    if (manifest === undefined) throw new Error(`${name} ${version} is not in the registry`);
    const local = /"(workspace|catalog|link|file|portal):[^"]*"/.exec(JSON.stringify(manifest.dependencies))?.[0];
    if (local !== undefined) throw new Error(`${name} ${version} asks for ${local}`);
    const tarball = await fetch(manifest.dist.tarball);
    if (!tarball.ok) throw new Error(`the tarball of ${name} ${version} is answered with ${tarball.status}`);
  }
  for (const { name, version } of missing) {
    if ((await publishedManifest(registry.url, name, version)) !== undefined)
      throw new Error(`${name} ${version} was published`);
  }
}

async function asTheReadmesSay(name: string, consumer: Consumer, score: Score): Promise<void> {
  await score.prove(`${name}: the README's first program runs against the mock`, () => consumer.quickStart());
  await score.prove(`${name}: the conformance kit judges the mock`, () => consumer.judge());
}

/** Does something with all at once, and resolves to those who did not give up. */
async function allThat(strangers: readonly Stranger[], work: (stranger: Stranger) => Promise<void>): Promise<Stranger[]> {
  const ends = await Promise.allSettled(strangers.map(work));
  const broken = ends.find((end) => end.status === "rejected" && !(end.reason instanceof GivenUp));
  if (broken?.status === "rejected") throw broken.reason;
  return strangers.filter((_, index) => ends[index]?.status === "fulfilled");
}
