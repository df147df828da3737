/** The files of deploy, as far as they can be checked without a container engine. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkHaproxyConfiguration } from "@chain-query/test-services";
import { expect, test } from "vitest";
import { parse } from "yaml";

const deploy = new URL("../deploy/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, deploy), "utf8");

interface Service {
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
}

const compose: { services: Readonly<Record<string, Service>>; volumes: Readonly<Record<string, unknown>> } = parse(
  read("compose.yaml"),
  { merge: true },
);
const services = Object.entries(compose.services);

test("the balancer's configuration has no faults", async ({ skip }) => {
  const faults = await checkHaproxyConfiguration(fileURLToPath(new URL("haproxy.cfg", deploy)));
  if (typeof faults !== "string") return skip(faults.reason);
  expect(faults).toBe("");
});

test("the compose file builds stages of the Containerfile", () => {
  const stages = [...read("Containerfile").matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage);
  const built = services.flatMap(([, { build }]) => (build ? [build] : []));
  expect(new Set(built.map(({ target }) => target))).toEqual(new Set(stages));
  expect(new Set(built.map(({ dockerfile }) => dockerfile))).toEqual(new Set(["Containerfile"]));
});

test("the compose file names services, volumes and files that exist", () => {
  const needed = services.flatMap(([, { depends_on = {} }]) => Object.keys(depends_on));
  expect(needed.filter((name) => !(name in compose.services))).toEqual([]);
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(":")[0] ?? ""));
  // The operator brings the description of the network.
  const files = mounted.filter((name) => name.startsWith("./") && name !== "./global.config.json");
  expect(files.filter((name) => !existsSync(new URL(name, deploy)))).toEqual([]);
  expect(mounted.filter((name) => !name.startsWith("./") && !(name in compose.volumes))).toEqual([]);
});
