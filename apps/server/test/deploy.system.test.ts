/** The options in the files of deploy, and their references to each other. `deploy.long.test.ts` has the programs that read the files. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CodeBlock, codeBlocks } from "@chain-query/testing/markdown";
import { checkHaproxyConfiguration } from "@chain-query/testing/services";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { parseServeOptions, type ServeOptions } from "../src/index.ts";
import { deployFile, imageEnvironment, indexerProblems, unitEnvironment } from "./fixtures/deploy.ts";

const deploy = new URL("../deploy/", import.meta.url);
const readme = new URL("../README.md", import.meta.url);

interface Service {
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly volumes?: readonly string[];
}

const compose: { services: Readonly<Record<string, Service>> } = parse(deployFile("compose.yaml"), { merge: true });
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
  expect(command).toContain("--admin-address=0.0.0.0:9100");
  expect(healthcheck?.test.at(-1)).toContain("fetch('http://127.0.0.1:9100/readyz')");
});

test("the compose file builds stages of the Containerfile", () => {
  const stages = [...deployFile("Containerfile").matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage);
  const built = services.flatMap(([, { build }]) => (build ? [build] : []));
  expect(built.length).toBeGreaterThan(2);
  expect(stages).toEqual(expect.arrayContaining(built.map(({ target }) => target)));
  expect(new Set(built.map(({ dockerfile }) => dockerfile))).toEqual(new Set(["Containerfile"]));
});

test("the compose file mounts files that exist", () => {
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(":")[0] ?? ""));
  const files = mounted.filter((name) => name.startsWith("."));
  expect(files).toContain("./haproxy.cfg");
  expect(files.filter((name) => !existsSync(new URL(name, deploy)))).toEqual([]);
});

test.for(["server", "indexer"])("the image of the %s has a volume for the anchor, the unit a folder", (name) => {
  const { STATE_DIRECTORY: state = "" } = imageEnvironment(name);
  const stage = deployFile("Containerfile").split(` AS ${name}\n`)[1]?.split("\nFROM ")[0];
  expect(stage).toMatch(new RegExp(`^VOLUME ${state}$`, "m"));
  expect(deployFile(unitOf(name))).toMatch(/^StateDirectory=chain-query/m);
});

test("the indexer of the compose file keeps the anchor in a volume", () => {
  const { STATE_DIRECTORY: state = "" } = imageEnvironment("indexer");
  expect(compose.services["indexer"]?.volumes).toContain(`state:${state}`);
});

function unitOf(name: string): string {
  return name === "server" ? "chain-query-server@.service" : `chain-query-${name}.service`;
}

/** The options of a process of the unit. Its config file is left out. */
function serviceOf(instance: string): ServeOptions {
  const command = /^ExecStart=\/bin\/sh -c '(.*)' sh$/m.exec(deployFile(unitOf("server")))?.[1] ?? "";
  const script = command.replaceAll("%i", instance).replaceAll("$$", "$").replace("exec chain-query-server", "printf '%s\\n'");
  const [, , ...args] = spawnSync("/bin/sh", ["-c", script, "sh"], { encoding: "utf8" }).stdout.trim().split("\n");
  const environment = Object.entries(unitEnvironment(unitOf("server"))).map(([name, value]) => [
    name,
    value.replace("%i", instance),
  ]);
  return parseServeOptions(args, { ...Object.fromEntries(environment), CHAIN_QUERY_KEYLESS_RATE: "1" });
}

test("the processes of the unit share a port, and have their own for metrics; only the first one makes blocks", () => {
  const of = (produce: boolean, port: number) => ({ reusePort: true, adminAddress: { port }, source: { produce } });
  expect([serviceOf("0"), serviceOf("1")]).toMatchObject([of(true, 9090), of(false, 9091)]);
});

/** The options of a service that is started as a file or a guide says. */
const configured: Readonly<Record<string, () => ServeOptions>> = {
  "compose.yaml": () => parseServeOptions(compose.services["server"]?.command ?? [], imageEnvironment("server")),
  Containerfile: () => parseServeOptions([], imageEnvironment("server")),
  "chain-query-server@.service": () => serviceOf("0"),
  "server.yaml of the README": () => {
    const isConfiguration = ({ text }: CodeBlock) => text.startsWith("# server.yaml\n");
    const yaml = codeBlocks(readFileSync(readme, "utf8"), "yaml").find(isConfiguration)?.text ?? "";
    const file = join(mkdtempSync(join(tmpdir(), "chain-query-deploy-")), "server.yaml");
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, yaml);
    return parseServeOptions(["--config", file], {});
  },
  ...Object.fromEntries(
    guideCommands().map((args) => [
      `scale-out.md: ${args.join(" ")}`,
      () => parseServeOptions(args, { CHAIN_QUERY_POSTGRES: "postgres://db1/chain" }),
    ]),
  ),
};

test.for(Object.keys(configured))("metrics and status have an address of their own: %s", (name) => {
  const { adminAddress, port } = configured[name]?.() ?? expect.unreachable();
  expect(adminAddress).toMatchObject({ port: expect.toSatisfy((own) => own !== port) });
});

test("the guide starts instances behind a balancer, with lite servers, and two on one port", () => {
  expect(guideCommands()).toHaveLength(4);
});

/** The arguments of instances in production. Blocks of the language "console" are to try it. */
function guideCommands(): string[][] {
  const guide = readFileSync(new URL("../../docs/guides/scale-out.md", import.meta.url), "utf8");
  const lines = codeBlocks(guide, "bash").flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"));
  const prefix = "npx @chain-query/server --";
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.split(/\s+/).slice(2));
}

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
