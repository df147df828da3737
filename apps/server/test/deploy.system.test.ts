/** The files of deploy, as far as they can be checked without a container engine. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkHaproxyConfiguration } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseServeOptions } from "../src/index.ts";

const deploy = new URL("../deploy/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, deploy), "utf8");

interface Service {
  readonly command?: readonly string[];
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

/** The environment of a stage of the Containerfile. */
function environmentOf(stage: string): Record<string, string> {
  const [, text = ""] = read("Containerfile").split(` AS ${stage}\n`);
  const settings = /^ENV ((?:.*\\\n)*.*)$/m.exec(text.split("\nFROM ")[0] ?? "")?.[1] ?? "";
  return Object.fromEntries([...settings.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]));
}

test("the instances of the compose file have valid options", () => {
  const environment = environmentOf("server");
  expect(environment).toHaveProperty("CHAIN_QUERY_HOST");
  expect(parseServeOptions(compose.services["server"]?.command ?? [], environment)).toMatchObject({
    host: "0.0.0.0",
    port: 8080,
    workers: 4,
    redis: "redis://redis:6379",
    source: { kind: "index", primary: "postgres://chain@postgres/chain", replicas: [] },
  });
});

test.for(["migrate", "indexer"])("the command of %s in the compose file is valid", (name) => {
  const manifest = import.meta.resolve("@chain-query/indexer/package.json");
  const program = fileURLToPath(new URL("bin/chain-query-indexer.js", manifest));
  // It reports all problems and does nothing: the option that does not exist has to be the only one.
  const args = [program, ...(compose.services[name]?.command ?? []), "--zap"];
  const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env: {} });
  expect(stderr).toMatch(/^chain-query-indexer: --zap: not an option of .*\n$/);
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
  const files = mounted.filter((name) => name.startsWith("."));
  expect(files.filter((name) => !existsSync(new URL(name, deploy)))).toEqual([]);
  expect(mounted.filter((name) => !name.startsWith(".") && !(name in compose.volumes))).toEqual([]);
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const rules = (parse(read("prometheus-rules.yaml")) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);

test("the runbook has a section for each alert", () => {
  const runbook = readFileSync(new URL("../../docs/guides/runbook.md", import.meta.url), "utf8");
  expect(rules.length).toBeGreaterThan(10);
  expect(Array.from(runbook.matchAll(/^## (.+)$/gm), ([, heading]) => heading)).toEqual(rules.map(({ alert }) => alert));
});
