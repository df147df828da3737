/** A PostgreSQL cluster under Patroni behind HAProxy, configured by the files of deploy. */
import { readFileSync } from "node:fs";
import { migrate } from "@chain-query/postgres-store";
import {
  freePort,
  inDatabase,
  type PatroniCluster,
  type PatroniPlace,
  startHaproxy,
  startPatroni,
  startPgbouncer,
  type Unavailable,
} from "@chain-query/testing/services";
import { parse } from "yaml";
import type { IndexAddresses } from "../scale-out/deployment.ts";

export interface ClusteredIndex extends IndexAddresses {
  readonly cluster: PatroniCluster;
}

export interface ClusterOptions {
  /** Settings of Patroni's dynamic configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether instances read through PgBouncer. */
  readonly isPooled?: boolean;
}

const serverCount = 3;
const roleStatements = "CREATE ROLE chain_reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO chain_reader;";
const read = (name: string): string => readFileSync(new URL(`../../deploy/patroni/${name}`, import.meta.url), "utf8");

/** Starts the cluster with an empty index. */
export async function clusteredIndex(
  cleanup: AsyncDisposableStack,
  { settings, isPooled = false }: ClusterOptions,
): Promise<ClusteredIndex | Unavailable> {
  const cluster = await startPatroni({ nodes: serverCount, configuration: (place) => memberConfiguration(place, settings) });
  if ("reason" in cluster) return cluster;
  cleanup.use(cluster);
  const replicaPort = await freePort();
  const balancer = await startHaproxy({
    ports: [],
    configuration: (port) => balancerConfiguration(cluster, { 5000: port, 5001: replicaPort }),
  });
  if ("reason" in balancer) return balancer;
  cleanup.use(balancer);
  const at = (port: number, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await inDatabase(at(balancer.port, "postgres"), (sql) => sql`CREATE DATABASE chain`);
  const writing = at(balancer.port, "chain");
  await migrate({ url: writing });
  if (!isPooled) return { cluster, writing, reading: `${writing},${at(replicaPort, "chain")}` };
  await inDatabase(writing, (sql) => sql.unsafe(`${roleStatements}\n${settingsOfRole()}`));
  const pooler = await startPgbouncer(["chain_reader"], (port, usersFile) =>
    poolerConfiguration(port, usersFile, { 5000: balancer.port, 5001: replicaPort }),
  );
  if ("reason" in pooler) return pooler;
  cleanup.use(pooler);
  const pooled = (database: string) => `postgres://chain_reader@127.0.0.1:${pooler.port}/${database}`;
  return { cluster, writing, reading: `${pooled("chain")},${pooled("chain_replicas")}` };
}

/** The file for operators, with short times, and the addresses and folders of this machine. */
function memberConfiguration(place: PatroniPlace, settings: object): string {
  const { name, port, restPort, etcdPort, dataFolder, passwordFile, programs } = place;
  const file = parse(read("patroni.yaml"));
  const { dcs } = file.bootstrap;
  const { parameters } = dcs.postgresql;
  return JSON.stringify({
    ...file,
    name,
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    restapi: addresses(restPort),
    bootstrap: {
      ...file.bootstrap,
      dcs: {
        ...dcs,
        ...{ ttl: 5, loop_wait: 1, retry_timeout: 2 },
        ...settings,
        postgresql: {
          ...dcs.postgresql,
          parameters: {
            ...parameters,
            unix_socket_directories: "",
            fsync: "off",
            shared_buffers: "32MB",
            dynamic_shared_memory_type: "mmap",
          },
        },
      },
    },
    postgresql: {
      ...file.postgresql,
      ...addresses(port),
      data_dir: dataFolder,
      bin_dir: programs,
      pgpass: passwordFile,
      pg_hba: ["host replication all 127.0.0.1/32 trust", "host all all 127.0.0.1/32 trust"],
      authentication: {
        superuser: { username: "postgres", password: "pencil" },
        replication: { username: "replicator", password: "crayon" },
      },
    },
  });
}

function addresses(port: number) {
  return { listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` };
}

function balancerConfiguration({ nodes }: PatroniCluster, ports: Readonly<Record<number, number>>): string {
  return read("haproxy.cfg")
    .replaceAll(/bind :(\d+)/g, (_, port) => `bind 127.0.0.1:${ports[port]}`)
    .replaceAll(/server (db\d) .*/g, (_, name) => {
      const node = nodes.find((each) => each.name === name);
      return `server ${name} 127.0.0.1:${node?.port} port ${node?.restPort}`;
    });
}

/** The statements in the comments of the file. */
function settingsOfRole(): string {
  return Array.from(read("pgbouncer.ini").matchAll(/^;\s+(ALTER ROLE .*)$/gm), ([, statement]) => statement).join("\n");
}

function poolerConfiguration(port: number, usersFile: string, ports: Readonly<Record<number, number>>): string {
  return read("pgbouncer.ini")
    .replaceAll(/port=(\d+)/g, (_, known) => `port=${ports[known]}`)
    .replace("listen_port = 6432", `listen_port = ${port}\nunix_socket_dir =`)
    .replace("auth_type = scram-sha-256", "auth_type = trust")
    .replace(/auth_file = .*/, `auth_file = ${usersFile}`);
}
