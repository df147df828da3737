/** The files of deploy, checked and run by the programs that they are for. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { debianProgram, freePort, inDatabase, installedProgram, sharedPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { ask, readinessOf, resultOf } from "./fixtures/ask.ts";
import { findProcess, openImages } from "./fixtures/images.ts";

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test.for([
  ["check", "../deploy/prometheus-rules.yaml", /SUCCESS: \d\d rules found/],
  ["test", "./fixtures/prometheus-rules.test.yaml", /SUCCESS/],
] as const)("promtool %s rules finds no fault", async ([verb, path, success], { skip }) => {
  const prometheus = await debianProgram("prometheus");
  if ("reason" in prometheus) return skip(prometheus.reason);
  const args = [verb, "rules", pathOf(path)];
  const env = { ...process.env, ...prometheus.env };
  const { stdout, stderr, status } = spawnSync(join(dirname(prometheus.path), "promtool"), args, { encoding: "utf8", env });
  expect(`${stdout}${stderr}`).toMatch(success);
  expect(status).toBe(0);
});

test("systemd-analyze verify finds no fault in the units", async () => {
  const units = ["chain-query-server@.service", "chain-query-indexer.service"].map((name) => pathOf(`../deploy/${name}`));
  const { stdout, stderr, status } = spawnSync(await installedProgram("systemd-analyze"), ["verify", "--man=no", ...units], {
    encoding: "utf8",
  });
  expect([stdout, stderr, status]).toEqual(["", "", 0]);
});

test("docker-compose accepts the compose file with a password, and refuses it without", async () => {
  const program = await installedProgram("docker-compose");
  const config = (password: string) =>
    spawnSync(program, ["--file", pathOf("../deploy/compose.yaml"), "config", "--services"], {
      encoding: "utf8",
      env: { ...process.env, POSTGRES_PASSWORD: password },
    });
  const { stdout, stderr, status } = config("secret");
  expect([stdout.trim().split("\n").sort(), stderr, status]).toEqual([
    ["balancer", "indexer", "migrate", "postgres", "redis", "server"],
    "",
    0,
  ]);
  expect(config("").stderr).toContain("set it to the password of the database");
});

test("the images have the service, the indexer and an SBOM, and two builds are equal", async () => {
  await using images = await openImages();
  // One after the other: an image of several stages names the one before it, which builds at the same time would share.
  const [image, second] = [await images.build("server"), await images.build("server")];
  expect(second).toEqual(image);
  const indexer = await images.build("indexer");
  const { root, run } = await images.create(image);

  const sizeOf = (path: string) => Number(execFileSync("du", ["-sb", join(root, path)], { encoding: "utf8" }).split("\t")[0]);
  const [, ...own] = image.layers;
  const packages = sizeOf("app");
  expect(packages).toBeLessThan(60e6);
  // Node, the packages and nothing else.
  expect(own.reduce((sum, size) => sum + size, 0)).toBeLessThan(sizeOf("usr/local/bin/node") + packages + 5e6);
  expect(await images.compressedSize(image)).toBeLessThan(150e6);
  const sbom: { components: { name: string }[] } = JSON.parse(readFileSync(join(root, "app/sbom.cdx.json"), "utf8"));
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", components: expect.any(Array) });
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["@chain-query/server", "@chain-query/indexer", "fastify", "lmdb"]));

  const [port, adminPort] = [await freePort(), await freePort()];
  const environment = { CHAIN_QUERY_PORT: `${port}`, CHAIN_QUERY_ADMIN_ADDRESS: `127.0.0.1:${adminPort}` };
  await using command = run(environment, ...image.entrypoint, "--block-interval", "1h", "--keyless-rate", "0");
  await command.url;
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => readinessOf(url),
    ([status]) => status === 200,
  );
  expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBeGreaterThan(0);
  const [, check = ""] =
    /^HEALTHCHECK .*\\\n {2}CMD (.*)$/m.exec(readFileSync(pathOf("../deploy/Containerfile"), "utf8")) ?? [];
  expect(await run(environment, "sh", "-c", check).exit).toMatchObject({ code: 0 });

  const pid = findProcess(command.child.pid ?? 0, "node") ?? expect.unreachable();
  expect(image.user).toBe("node");
  expect(readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
  const waiting = ask(url, "getMasterchainInfo", {}, { prefer: "wait=20" });
  const metrics = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  await until(metrics, (text) => expect(text).toMatch(/^chain_query_waiting_requests 1$/m));
  process.kill(pid, "SIGTERM");
  expect(await waiting).toMatchObject({ status: 200 });
  expect(await command.exit).toMatchObject({ code: 0 });

  const container = await images.create(indexer);
  expect(await container.run({}, "sh", "-c", 'test -w "$STATE_DIRECTORY" && id -u').exit).toMatchObject({
    code: 0,
    stdout: "1000\n",
  });
  const postgres = await (await sharedPostgres()).createDatabase();
  const migration = container.run({ CHAIN_QUERY_POSTGRES: postgres }, ...indexer.entrypoint, "migrate");
  expect(await migration.exit).toMatchObject({ code: 0 });
  expect(await inDatabase(postgres, (sql) => sql`SELECT FROM pg_tables WHERE tablename = 'blocks'`)).toHaveLength(1);
});
