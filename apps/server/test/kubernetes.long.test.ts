/** The manifests for Kubernetes: their fields by the types of its API, their references, and the options of the programs. */
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { Container, PersistentVolumeClaim, Service } from "kubernetes-types/core/v1.d.ts";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.d.ts";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseServeOptions } from "../src/index.ts";
import { imageEnvironment, indexerProblems } from "./fixtures/deploy.ts";

type OfKind<Type extends { apiVersion?: string; kind?: string }> = Type & Required<Pick<Type, "apiVersion" | "kind">>;
type Manifest = OfKind<Deployment> | OfKind<Service> | OfKind<PodDisruptionBudget> | OfKind<PersistentVolumeClaim>;

const folder = new URL("../deploy/kubernetes/", import.meta.url);
const manifests: readonly Manifest[] = ["server.yaml", "indexer.yaml"].flatMap((name) =>
  parseAllDocuments(readFileSync(new URL(name, folder), "utf8")).map((document) => document.toJS({ maxAliasCount: 100 })),
);
const deployments = manifests.filter((manifest) => manifest.kind === "Deployment");

/** The errors of the compiler if each manifest is an object literal of the type of its kind: unknown members, too. */
function problemsOf(checked: readonly object[]): string {
  const types = dirname(fileURLToPath(import.meta.resolve("kubernetes-types/package.json")));
  const compiler = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
  using temporary = mkdtempDisposableSync(join(tmpdir(), "chain-query-manifests-"));
  const source = join(temporary.path, "manifests.ts");
  const lines = (checked as readonly Manifest[]).map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const module = join(types, apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`);
    return `import type { ${kind} as Kind${index} } from ${JSON.stringify(module)};
export const manifest${index}: Kind${index} = ${JSON.stringify(manifest, undefined, 2)};`;
  });
  writeFileSync(source, lines.join("\n"));
  const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "esnext", "--moduleResolution", "bundler"];
  return spawnSync(process.execPath, [compiler, ...flags, "--types", "", source], { encoding: "utf8" }).stdout;
}

const containersOf = ({ spec }: Deployment): readonly Container[] => {
  const { containers = [], initContainers = [] } = spec?.template.spec ?? {};
  return [...initContainers, ...containers];
};

test("the manifests have only members that Kubernetes knows, with values of their types", () => {
  expect(manifests.map(({ kind }) => kind)).toEqual([
    "Deployment",
    "Service",
    "PodDisruptionBudget",
    "Deployment",
    "PersistentVolumeClaim",
  ]);
  expect(problemsOf(manifests)).toBe("");
});

test.for([
  ["readinessProbe", "readynessProbe", /readynessProbe.* does not exist in type 'Container'/],
  ["maxSurge", "maxSurges", /maxSurges.* does not exist in type 'RollingUpdateDeployment'/],
  ['"minAvailable":2', '"minAvailable":[2]', /not assignable to type/],
] as const)("a manifest with %s changed to %s is found", ([member, wrong, problem]) => {
  const changed: readonly Manifest[] = JSON.parse(JSON.stringify(manifests).replace(member, wrong));
  expect(problemsOf(changed)).toMatch(problem);
});

test.for(["server", "indexer"])("pods of the %s have a folder for the anchor that exists and can be written", (stage) => {
  const { STATE_DIRECTORY: state } = imageEnvironment(stage);
  const deployment = deployments.find(({ metadata }) => metadata?.name === `chain-query-${stage}`);
  const { volumes = [], containers = [], securityContext } = deployment?.spec?.template.spec ?? {};
  const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.filter(({ mountPath }) => mountPath === state));
  expect(mounts).toEqual([{ name: "state", mountPath: state }]);
  const volume = volumes.find(({ name }) => name === "state");
  const claim = volume?.persistentVolumeClaim?.claimName;
  expect(
    volume?.emptyDir ?? manifests.find(({ kind, metadata }) => kind === "PersistentVolumeClaim" && metadata?.name === claim),
  ).toBeDefined();
  expect(securityContext?.fsGroup).toBe(securityContext?.runAsUser);
});

test("services, budgets and deployments select the pods of a deployment", () => {
  const labels = deployments.map(({ spec }) => spec?.template.metadata?.labels);
  for (const { kind, spec } of manifests.filter(({ kind }) => kind !== "PersistentVolumeClaim")) {
    const selector =
      kind === "Service" ? spec?.selector : (spec?.selector as { matchLabels?: object } | undefined)?.matchLabels;
    expect(labels).toContainEqual(selector);
  }
});

test("probes and services name ports of containers, and mounts name volumes", () => {
  const ports = deployments.flatMap((one) => containersOf(one).flatMap(({ ports = [] }) => ports.map(({ name }) => name)));
  const services = manifests.filter((manifest) => manifest.kind === "Service");
  for (const { spec } of services) for (const { targetPort } of spec?.ports ?? []) expect(ports).toContain(targetPort);
  for (const deployment of deployments) {
    const volumes = (deployment.spec?.template.spec?.volumes ?? []).map(({ name }) => name);
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
  const port = indexer?.args?.find((arg) => arg.startsWith("--metrics-port="))?.split("=")[1];
  expect(indexer?.ports?.map(({ containerPort }) => String(containerPort))).toEqual([port]);
});

test("the guide makes the secrets and files that the manifests need", () => {
  const guide = readFileSync(new URL("../../docs/guides/scale-out.md", import.meta.url), "utf8");
  const containers = deployments.flatMap(containersOf);
  const secrets = containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
  expect(secrets.length).toBeGreaterThan(3);
  for (const { name, key } of secrets) {
    expect(guide).toContain(`kubectl create secret generic ${name} `);
    expect(guide).toContain(`--from-literal=${key}=`);
  }
  const volumes = deployments.flatMap(({ spec }) => spec?.template.spec?.volumes ?? []);
  const configMaps = volumes.flatMap(({ configMap }) => configMap ?? []);
  expect(configMaps).toHaveLength(1);
  for (const configMap of configMaps) expect(guide).toContain(`kubectl create configmap ${configMap.name} `);
  const files = containers.flatMap(({ args = [] }) => args.flatMap((arg) => /\/config\/(.*)/.exec(arg)?.[1] ?? []));
  expect(files).toHaveLength(2);
  for (const file of files) expect(guide).toContain(`--from-file=${file}`);
});
