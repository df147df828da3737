/** The files of deploy, as far as they can be checked without a container engine. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkHaproxyConfiguration } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseServeOptions } from "../src/index.ts";
import { deployFile, imageEnvironment, indexerProblems } from "./fixtures/deploy.ts";

const deploy = new URL("../deploy/", import.meta.url);

interface Service {
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
}

const compose: { services: Readonly<Record<string, Service>>; volumes: Readonly<Record<string, unknown>> } = parse(
  deployFile("compose.yaml"),
  { merge: true },
);
const services = Object.entries(compose.services);

test("the balancer's configuration has no faults", async ({ skip }) => {
  const faults = await checkHaproxyConfiguration(fileURLToPath(new URL("haproxy.cfg", deploy)));
  if (typeof faults !== "string") return skip(faults.reason);
  expect(faults).toBe("");
});

test("the instances of the compose file have valid options", () => {
  const environment = imageEnvironment("server");
  expect(environment).toHaveProperty("CHAIN_QUERY_HOST");
  expect(parseServeOptions(compose.services["server"]?.command ?? [], environment)).toMatchObject({
    host: "0.0.0.0",
    port: 8080,
    workers: 4,
    maxHeadAge: 300,
    redis: "redis://redis:6379",
    source: { kind: "index", primary: "postgres://chain@postgres/chain", replicas: [] },
  });
});

test.for(["migrate", "indexer"])("the command of %s in the compose file is valid", (name) => {
  // The option that does not exist has to be the only problem.
  const problems = indexerProblems([...(compose.services[name]?.command ?? []), "--zap"]);
  expect(problems).toMatch(/^chain-query-indexer: --zap: not an option of .*\n$/);
});

test("the health check of the indexer in the compose file asks the port of its metrics", () => {
  const { command = [], healthcheck } = compose.services["indexer"] ?? {};
  expect(command).toContain("--metrics-port=9100");
  expect(healthcheck?.test.at(-1)).toContain("fetch('http://127.0.0.1:9100/readyz')");
});

test("the compose file builds stages of the Containerfile", () => {
  const stages = [...deployFile("Containerfile").matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage);
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

const rules = (parse(deployFile("prometheus-rules.yaml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

test("the runbook has a section for each alert", () => {
  const runbook = readFileSync(new URL("../../docs/guides/runbook.md", import.meta.url), "utf8");
  expect(rules.length).toBeGreaterThan(10);
  expect(Array.from(runbook.matchAll(/^## (.+)$/gm), ([, heading]) => heading)).toEqual(rules.map(({ alert }) => alert));
});
