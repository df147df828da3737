/** The options in the files of deploy, those for Kubernetes too, and their references to each other. `deploy.long.test.ts` has the programs that read the files. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CodeBlock, codeBlocks } from "@chain-query/testing/markdown";
import { checkHaproxyConfiguration } from "@chain-query/testing/services";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { parseServeOptions, type ServeOptions } from "../src/index.ts";

/** A file of deploy. */
function deployFile(name: string): string {
  return readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8");
}

/** The environment of a stage of the Containerfile. */
function imageEnvironment(stage: string): Record<string, string> {
  const [, text = ""] = deployFile("Containerfile").split(` AS ${stage}\n`);
  const settings = /^ENV ((?:.*\\\n)*.*)$/m.exec(text.split("\nFROM ")[0] ?? "")?.[1] ?? "";
  return Object.fromEntries([...settings.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]));
}

/** The environment of a systemd unit. */
function unitEnvironment(name: string): Record<string, string> {
  const settings = deployFile(name).matchAll(/^Environment=(\w+)=(\S+)$/gm);
  return Object.fromEntries(Array.from(settings, ([, key = "", value = ""]) => [key, value]));
}

/** What the indexer prints about wrong arguments: all problems. It then does nothing. */
function indexerProblems(args: readonly string[]): string {
  const manifest = import.meta.resolve("@chain-query/indexer/package.json");
  const program = fileURLToPath(new URL("bin/chain-query-indexer.js", manifest));
  return spawnSync(process.execPath, [program, ...args], { encoding: "utf8", env: {} }).stderr;
}

const deploy = new URL("../deploy/", import.meta.url);
const readme = new URL("../README.md", import.meta.url);
const guide = readFileSync(new URL("../../docs/guides/scale-out.md", import.meta.url), "utf8");

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

interface Named {
  readonly name: string;
}

type Probe = { readonly httpGet: { readonly path: string; readonly port: string } } | undefined;

/** The members of a container that are read here. */
interface Container extends Named {
  readonly args: readonly string[];
  readonly env?: readonly { readonly valueFrom?: { readonly secretKeyRef: Named & { readonly key: string } } }[];
  readonly ports?: readonly (Named & { readonly containerPort: number })[];
  readonly volumeMounts?: readonly (Named & { readonly mountPath: string })[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext: { readonly runAsUser: number; readonly fsGroup: number };
  readonly volumes: readonly (Named & {
    readonly emptyDir?: object;
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly configMap?: Named;
  })[];
}

/** The members of a manifest for Kubernetes. */
interface Manifest {
  readonly kind: string;
  readonly metadata: Named;
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
}

const manifests: readonly Manifest[] = ["server.yaml", "indexer.yaml"].flatMap((name) =>
  parseAllDocuments(deployFile(`kubernetes/${name}`)).map((document) => document.toJS({ maxAliasCount: 100 })),
);
const deployments = manifests.filter(({ kind }) => kind === "Deployment");

const containersOf = ({ spec }: Manifest): readonly Container[] => [
  ...(spec.template?.spec.initContainers ?? []),
  ...(spec.template?.spec.containers ?? []),
];

test.for(["server", "indexer"])("pods of the %s have a folder for the anchor that exists and can be written", (stage) => {
  const { STATE_DIRECTORY: state } = imageEnvironment(stage);
  const deployment = deployments.find(({ metadata }) => metadata.name === `chain-query-${stage}`);
  const { volumes, containers, securityContext } = deployment?.spec.template?.spec ?? expect.unreachable();
  const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.filter(({ mountPath }) => mountPath === state));
  expect(mounts).toEqual([{ name: "state", mountPath: state }]);
  const volume = volumes.find(({ name }) => name === "state");
  const claim = volume?.persistentVolumeClaim?.claimName;
  expect(
    volume?.emptyDir ?? manifests.find(({ kind, metadata }) => kind === "PersistentVolumeClaim" && metadata.name === claim),
  ).toBeDefined();
  expect(securityContext.fsGroup).toBe(securityContext.runAsUser);
});

test("services, budgets and deployments select the pods of a deployment", () => {
  const labels = deployments.map(({ spec }) => spec.template?.metadata.labels);
  for (const { kind, spec } of manifests.filter(({ kind }) => kind !== "PersistentVolumeClaim")) {
    expect(labels).toContainEqual(kind === "Service" ? spec.selector : spec.selector?.matchLabels);
  }
});

test("probes and services name ports of containers, and mounts name volumes", () => {
  const ports = deployments.flatMap((one) => containersOf(one).flatMap(({ ports = [] }) => ports.map(({ name }) => name)));
  const balanced = manifests.filter(({ kind }) => kind === "Service");
  for (const { spec } of balanced) for (const { targetPort } of spec.ports ?? []) expect(ports).toContain(targetPort);
  for (const deployment of deployments) {
    const volumes = (deployment.spec.template?.spec.volumes ?? []).map(({ name }) => name);
    for (const { name, ports = [], startupProbe, livenessProbe, readinessProbe, volumeMounts = [] } of containersOf(
      deployment,
    )) {
      if (name === "migrate") continue;
      const probed = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
      expect(probed.map((get) => get?.path)).toEqual(["/healthz", "/healthz", "/readyz"]);
      for (const get of probed) expect(ports.map((port) => port.name)).toContain(get?.port);
      for (const mount of volumeMounts) expect(volumes).toContain(mount.name);
    }
  }
});

test("the options of the containers exist, and name the ports that the containers have", () => {
  const [server, migrate, indexer] = deployments.flatMap(containersOf);
  const environment = { ...imageEnvironment("server"), CHAIN_QUERY_REDIS: "redis://redis:6379" };
  expect(parseServeOptions(server?.args ?? [], environment)).toMatchObject({
    ...{ host: "0.0.0.0", port: 8080, maxHeadAge: 300, adminAddress: { host: "0.0.0.0", port: 9090 } },
    source: { kind: "index", primary: "postgres://chain_reader@postgres/chain", replicas: [] },
  });
  expect(server?.ports?.map(({ containerPort }) => containerPort)).toEqual([8080, 9090]);
  for (const container of [migrate, indexer]) {
    // The option that does not exist has to be the only problem.
    expect(indexerProblems([...(container?.args ?? []), "--zap"])).toMatch(
      /^chain-query-indexer: --zap: not an option of .*\n$/,
    );
  }
  const port = indexer?.args.find((arg) => arg.startsWith("--admin-address="))?.split(":")[1];
  expect(indexer?.ports?.map(({ containerPort }) => String(containerPort))).toEqual([port]);
});

test("the guide makes the secrets and files that the manifests need", () => {
  const containers = deployments.flatMap(containersOf);
  const secrets = containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
  expect(secrets.length).toBeGreaterThan(3);
  for (const { name, key } of secrets) {
    expect(guide).toContain(`kubectl create secret generic ${name} `);
    expect(guide).toContain(`--from-literal=${key}=`);
  }
  const volumes = deployments.flatMap(({ spec }) => spec.template?.spec.volumes ?? []);
  const configMaps = volumes.flatMap(({ configMap }) => configMap ?? []);
  expect(configMaps).toHaveLength(1);
  for (const configMap of configMaps) expect(guide).toContain(`kubectl create configmap ${configMap.name} `);
  const files = containers.flatMap(({ args }) => args.flatMap((arg) => /\/config\/(.*)/.exec(arg)?.[1] ?? []));
  expect(files).toHaveLength(2);
  for (const file of files) expect(guide).toContain(`--from-file=${file}`);
});
