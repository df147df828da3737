/** The manifests for Kubernetes: their references, and the options of the programs. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseServeOptions } from "../src/index.ts";
import { deployFile, imageEnvironment, indexerProblems } from "./fixtures/deploy.ts";

/** The members of the manifests that are read here. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext: { readonly runAsUser: number; readonly fsGroup: number };
  readonly volumes: readonly {
    readonly name: string;
    readonly emptyDir?: object;
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly configMap?: { readonly name: string };
  }[];
}

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
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
  const services = manifests.filter(({ kind }) => kind === "Service");
  for (const { spec } of services) for (const { targetPort } of spec.ports ?? []) expect(ports).toContain(targetPort);
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
  const guide = readFileSync(new URL("../../docs/guides/scale-out.md", import.meta.url), "utf8");
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
