/** Rows of history never change: readers on several connections and replicas see one state, and a retry of a writer changes nothing. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import * as ofRows from "../src/database/statements.ts";
import * as partitions from "../src/partitions/partition-statements.ts";

const home = dirname(import.meta.dirname);
const sources = globSync("src/**/*.ts", { cwd: home }).map((path) => path.replaceAll("\\", "/"));
const modules = sources.filter((path) => path.endsWith("statements.ts"));
const ofPartitions = {
  ...partitions,
  addLimit: partitions.addLimit(0, 5),
  closeLimitedPartition: partitions.closeLimitedPartition(0, 5),
  closePartition: partitions.closePartition(0, 5),
  copyVersions: partitions.copyVersions(0),
  dropLimits: partitions.dropLimits([{ table: "transactions_from_0", name: "below_5" }]),
  dropPartition: partitions.dropPartition(0),
  keepVacuumOut: partitions.keepVacuumOut(0),
  lockPartition: partitions.lockPartition(0),
  sumBase: partitions.sumBase(0),
  validateLimit: partitions.validateLimit(0, 5),
};
const exported = Object.entries<unknown>({ ...ofRows, ...ofPartitions });
const statements = exported.flatMap(([name, text]) =>
  typeof text === "string" ? [{ name, text: text.replace(/\s+/g, " ") }] : [],
);
/** Rows for each writer or key, and the boundary of dropped history. */
const UPDATED = ["head", "indexer_lease", "api_keys", "history"];

test("every statement is checked", () => {
  expect(modules).toHaveLength(2);
  const functions = exported.filter(([, text]) => typeof text === "function");
  expect(functions.map(([name]) => name).sort()).toEqual(["limitName", "partitionName"]);
  expect(statements.length).toBeGreaterThan(40);
});

test("no statement updates or deletes rows of history", () => {
  const changed = statements.flatMap(({ name, text }) => {
    const [, table] = /\bUPDATE (?!SET\b|EXCLUSIVE\b)(\w+)/i.exec(text) ?? [];
    const deletes = /\b(?:DELETE|TRUNCATE)\b/i.test(text);
    return deletes || (table !== undefined && !UPDATED.includes(table)) ? [name] : [];
  });
  expect(changed).toEqual([]);
});

test("of the other source files, only those of dropped and added steps and of advice have statements that update or delete rows", () => {
  const others = sources.filter((path) => !modules.includes(path));
  expect(others.length).toBeGreaterThan(20);
  const changes = /\b(?:UPDATE|DELETE|TRUNCATE)\b|["'`]\s*(?:update|delete|truncate)\s/;
  expect(others.filter((path) => changes.test(readFileSync(join(home, path), "utf8")))).toEqual([
    "src/signed-fork.ts",
    "src/writing/drop-after.ts",
    "src/writing/extend-index.ts",
  ]);
});

test("a repeated insert of history changes nothing", () => {
  const inserts = statements.filter(({ text }) => /^INSERT INTO (?!indexer_lease |api_keys |account_base )/i.test(text));
  expect(inserts.length).toBeGreaterThan(2);
  expect(inserts.filter(({ text }) => !/ON CONFLICT DO NOTHING$/.test(text))).toEqual([]);
});
