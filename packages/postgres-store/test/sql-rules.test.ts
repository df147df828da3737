import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import * as partitionStatements from "../src/partitions/partition-statements.ts";

/**
 * The SQL that PostgreSQL, Citus and YugabyteDB have in common. A statement that breaks a rule works on one PostgreSQL and fails, or
 * reads all shards, on an engine that operators move to.
 */
const ROOT = new URL("..", import.meta.url).pathname;

interface Statement {
  readonly where: string;
  readonly text: string;
}

const migrations = globSync(`${ROOT}migrations/*.sql`).flatMap(statementsOfFile);
const distribute = globSync(`${ROOT}distribute/*.sql`).flatMap(statementsOfFile);
const modules = globSync(`${ROOT}src/**/*.ts`);
const isOfStatements = (file: string) => file.endsWith("statements.ts");
/** Sizes of tables, transactions of stopped processes, partitions. */
const ONLY_POSTGRESQL = ["postgresql-statements.ts", "partition-statements.ts"];
/** The rules that statements of partitions break. */
const EXCUSED = {
  // So that PostgreSQL reads the bounds once. No row is skipped.
  READ_BOUNDS: ["OFFSET"],
  // The newest version of each account, of one partition.
  carryVersions: ["DISTINCT"],
  sumBase: ["counting"],
  // Of two constraints.
  closeLimitedPartition: ["counting"],
};
/** Statements that are made of steps. */
const MADE = {
  addLimit: partitionStatements.addLimit(0, 5),
  carryVersions: partitionStatements.carryVersions(0),
  closeLimitedPartition: partitionStatements.closeLimitedPartition(0, 5),
  closePartition: partitionStatements.closePartition(0, 5),
  dropPartition: partitionStatements.dropPartition(0),
  keepVacuumOut: partitionStatements.keepVacuumOut(0),
  lockPartition: partitionStatements.lockPartition(0),
  sumBase: partitionStatements.sumBase(0),
  validateLimit: partitionStatements.validateLimit(0, 5),
};
const statements = (
  await Promise.all(
    modules.filter((file) => isOfStatements(file) && !ONLY_POSTGRESQL.includes(basename(file))).map(statementsOfModule),
  )
).flat();

/** Where else SQL may be, and why. */
const EXCEPTIONS = {
  "copy.ts": "made of the columns of a table",
  "migrate.ts": "the table of the tool that runs the migrations, and the schema that it needs",
  "testing.ts": "a table of a benchmark",
};

function statementsOfFile(file: string): Statement[] {
  const text = readFileSync(file, "utf8").replace(/--.*$/gm, "");
  const parts = text.split(";").map((part) => part.replace(/\s+/g, " ").trim());
  return parts.filter(Boolean).map((part) => ({ where: basename(file), text: part }));
}

async function statementsOfModule(file: string): Promise<Statement[]> {
  const module: Readonly<Record<string, unknown>> = await import(file);
  return Object.entries(module).flatMap(([name, text]) =>
    typeof text === "string" ? [{ where: `${basename(file)} ${name}`, text: text.replace(/\s+/g, " ") }] : [],
  );
}

const NEVER: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["notifications", /\b(?:LISTEN|NOTIFY|pg_notify)\b/i],
  ["advisory locks", /advisory/i],
  ["row locks", /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b/i],
  ["temporary tables", /\bTEMP(?:ORARY)?\b/i],
  ["state of a session", /^(?:SET|PREPARE|DECLARE|LOCK)\b/i],
  ["sequences and identities", /\b(?:SERIAL|BIGSERIAL|SEQUENCE|IDENTITY|nextval)\b/i],
  ["types of our own", /\bCREATE (?:TYPE|DOMAIN)\b/i],
  ["extensions, triggers and functions", /\bCREATE (?:OR REPLACE )?(?:EXTENSION|TRIGGER|FUNCTION|PROCEDURE)\b/i],
  ["json", /\bjsonb?\b/i],
  ["OFFSET", /\bOFFSET\b/i],
  ["counting", /\bcount\s*\(/i],
  ["DISTINCT", /\bDISTINCT\b/i],
  ["recursion", /\bRECURSIVE\b/i],
  ["deleting rows", /\b(?:DELETE|TRUNCATE)\b/i],
  ["EXECUTE", /\bEXECUTE\b/i],
];

const TYPES = ["bytea", "int2", "int4", "int8", "bool", "text"];
/** The database's clock writes and reads these. */
const TIMES = ["heartbeat", "run_at"];
/** Tables with some rows, or whose rows every shard has. */
const WITHOUT_ACCOUNT = [
  "chain",
  "head",
  "indexer_lease",
  "backfill_ranges",
  "blocks",
  "cells",
  "api_keys",
  "schema_version",
  "history",
];
/** Small tables that are no history: a row for each writer or key. */
const UPDATED = ["head", "indexer_lease", "backfill_ranges", "api_keys"];

test("there is something to check", () => {
  expect(migrations.length).toBeGreaterThan(10);
  expect(distribute.length).toBeGreaterThan(20);
  expect(statements.length).toBeGreaterThan(15);
});

test("no statement is elsewhere", () => {
  const others = modules.filter((file) => !isOfStatements(file));
  const withSql = others.filter((file) =>
    /["`](?:SELECT|INSERT|UPDATE|DELETE|COPY|CREATE|ALTER|SET) /.test(readFileSync(file, "utf8")),
  );
  expect(withSql.map((file) => basename(file)).sort()).toEqual(Object.keys(EXCEPTIONS));
});

describe("migrations, files for other engines and statements", () => {
  test.each(NEVER)("never use %s", (_what, pattern) => {
    const breaking = [...migrations, ...distribute, ...statements].filter(({ text }) => pattern.test(text));
    expect(breaking).toEqual([]);
  });
});

test("statements for PostgreSQL alone break only the rules that are named", () => {
  const made = { ...partitionStatements, ...MADE };
  const texts = Object.entries(made).flatMap(([name, text]) => (typeof text === "string" ? [[name, text] as const] : []));
  const unmade = Object.entries(made)
    .filter(([, text]) => typeof text !== "string")
    .map(([name]) => name);
  expect(unmade.sort()).toEqual(["limitName", "partitionName"]);
  // What changes partitions sets timeouts and locks tables, for one transaction.
  const rules = NEVER.filter(([what]) => what !== "state of a session");
  const broken = texts.map(
    ([name, text]) => [name, rules.filter(([, rule]) => rule.test(text)).map(([what]) => what)] as const,
  );
  expect(Object.fromEntries(broken.filter(([, what]) => what.length > 0))).toEqual(EXCUSED);
  const updating = texts
    .filter(([, text]) => /\bDO UPDATE\b|\bUPDATE (?!EXCLUSIVE|SET\b)\w+/i.test(text))
    .map(([name]) => name);
  expect(updating.sort()).toEqual(["FENCE_HISTORY", "MOVE_HISTORY", "carryVersions"]);
});

describe("tables", () => {
  const tables = [...migrations, ...distribute].flatMap(({ where, text }) => {
    const [, name, body] = /^CREATE TABLE (\w+) \((.*?)\)(?: WITH \(.*\)| PARTITION BY .*)?$/.exec(text) ?? [];
    return name && body ? [{ where, name, body }] : [];
  });

  test("have only types that all engines have", () => {
    const wrong = tables.flatMap(({ where, name, body }) =>
      columnsOf(body)
        .filter(([column, type]) => !(TYPES.includes(type) || (type === "timestamptz" && TIMES.includes(column))))
        .map(([column, type]) => `${where}: ${name}.${column} ${type}`),
    );
    expect(tables.length).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });

  test("have a primary key that begins with the account, or are small", () => {
    const wrong = tables.filter(({ name, body }) => !/PRIMARY KEY \(account\b/.test(body) && !WITHOUT_ACCOUNT.includes(name));
    expect(wrong).toEqual([]);
    expect(tables.filter(({ body }) => !body.includes("PRIMARY KEY"))).toEqual([]);
  });
});

test("the file for YugabyteDB has every table and index of the migrations", () => {
  const namesIn = (all: readonly Statement[]) =>
    all.flatMap(({ text }) => /^CREATE (?:TABLE|INDEX) (?!\w+ PARTITION OF)(\w+)/.exec(text)?.[1] ?? []);
  expect(namesIn(distribute)).toEqual(expect.arrayContaining(namesIn(migrations)));
});

describe("statements", () => {
  test("update no history", () => {
    const updates = [...migrations, ...statements].flatMap(({ where, text }) => {
      const table = /\bUPDATE (?!SET\b)(\w+)/i.exec(text)?.[1];
      return table && !UPDATED.includes(table) ? [`${where}: ${table}`] : [];
    });
    expect(updates).toEqual([]);
  });

  test("insert so that a repetition changes nothing", () => {
    const inserts = statements.filter(({ text }) => /^INSERT/i.test(text));
    const wrong = inserts.filter(
      ({ text }) => !/ON CONFLICT DO NOTHING$/.test(text) && !/^INSERT INTO (?:indexer_lease|api_keys) /.test(text),
    );
    expect(inserts.length).toBeGreaterThan(2);
    expect(wrong).toEqual([]);
  });

  test("read one table, or one with the head's row, or what was dropped of the same account", () => {
    const wrong = statements.filter(({ text }) => {
      const tables = Array.from(text.matchAll(/\b(?<!epoch )(?:FROM|JOIN)\s+(?!LATERAL)(\w+)/gi), ([, table]) => table);
      const isOfAccount = text.includes("JOIN account_base ON account_base.account = $1 ");
      const others = ["head", ...(isOfAccount ? ["history", "account_base"] : [])];
      return new Set(tables.filter((table) => !others.includes(table ?? ""))).size > 1 || /\bFROM\s+\w+\s*,/i.test(text);
    });
    expect(wrong).toEqual([]);
  });

  test("read transactions and versions by account, or by their keys page by page", () => {
    const reads = statements.filter(({ text }) => /\bFROM (?:transactions|account_versions)\b/.test(text));
    const wrong = reads.filter(({ text }) => !/\baccount = \$|\(account, /.test(text));
    expect(reads.length).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
  });
});

/** Names and types, without the primary key of the table. */
function columnsOf(body: string): (readonly [name: string, type: string])[] {
  const parts = body.replace(/\([^()]*\)/g, "").split(",");
  return parts.flatMap((part) => {
    const [name = "", type = ""] = part.trim().split(" ");
    return name === "PRIMARY" || name === "CHECK" ? [] : [[name, type] as const];
  });
}
