import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@chain-query/testing/folders";
import { expect, test } from "vitest";
import { parseDatabaseUrl, redactUrl } from "../src/database/connection-url.ts";

test("reads every part of a URL", () => {
  expect(parseDatabaseUrl("postgres://me%40home:s%2Fcret@db.example:6543/my%20chain", {})).toEqual({
    host: "db.example",
    port: 6543,
    database: "my chain",
    user: "me@home",
    password: "s/cret",
    tls: false,
  });
  expect(parseDatabaseUrl("postgresql://me@[::1]", {})).toMatchObject({ host: "::1", port: 5432, database: "me" });
  expect(parseDatabaseUrl("postgres://me@localhost/chain?host=/run/postgresql", {})).toMatchObject({ host: "/run/postgresql" });
});

test("takes the password from the URL, from PGPASSWORD or from PGPASSFILE, in this order", () => {
  const file = passwordFile(["# comment", "other:5432:*:me:wrong", String.raw`db:*:chain:me:a\:b\\c`, "*:*:*:*:last"]);
  const passwordOf = (url: string, env: object) => parseDatabaseUrl(url, env).password;
  expect(passwordOf("postgres://me:first@db/chain", { PGPASSWORD: "second", PGPASSFILE: file })).toBe("first");
  expect(passwordOf("postgres://me@db/chain", { PGPASSWORD: "second", PGPASSFILE: file })).toBe("second");
  expect(passwordOf("postgres://me@db/chain", { PGPASSFILE: file })).toBe("a:b\\c");
  expect(passwordOf("postgres://you@db/chain", { PGPASSFILE: file })).toBe("last");
  expect(passwordOf("postgres://me@db/chain", {})).toBe("");
});

test("refuses a password file that others can read, or that does not exist", () => {
  const file = passwordFile(["*:*:*:*:open"]);
  chmodSync(file, 0o644);
  expect(() => parseDatabaseUrl("postgres://me@db/chain", { PGPASSFILE: file })).toThrow(/must not be readable by other users/);
  expect(() => parseDatabaseUrl("postgres://me@db/chain", { PGPASSFILE: "/none" })).toThrow("PGPASSFILE: cannot read /none");
});

test("reads a password file among the credentials of a systemd unit, which have the mode 440", () => {
  const file = passwordFile(["*:*:*:*:secret"]);
  chmodSync(file, 0o440);
  const environment = { PGPASSFILE: file, CREDENTIALS_DIRECTORY: dirname(file) };
  expect(parseDatabaseUrl("postgres://me@db/chain", environment).password).toBe("secret");
  expect(() => parseDatabaseUrl("postgres://me@db/chain", { PGPASSFILE: file })).toThrow(/must not be readable/);
  chmodSync(file, 0o444);
  expect(() => parseDatabaseUrl("postgres://me@db/chain", environment)).toThrow(/must not be readable/);
});

test("reads sslmode as libpq does", () => {
  const tlsOf = (query: string) => parseDatabaseUrl(`postgres://me@db/chain${query}`, {}).tls;
  expect(tlsOf("?sslmode=disable")).toBe(false);
  expect(tlsOf("?sslmode=prefer")).toBe("prefer");
  expect(tlsOf("?sslmode=require")).toEqual({ rejectUnauthorized: false });
  expect(tlsOf("?sslmode=verify-full")).toEqual({ servername: "db" });
  expect(() => tlsOf("?sslmode=maybe")).toThrow(
    'sslmode must be one of disable, prefer, require, verify-ca, verify-full, got "maybe"',
  );
});

test("refuses other URLs without showing the password", () => {
  const refuse = (url: string, message: string) => expect(() => parseDatabaseUrl(url, {})).toThrow(new RangeError(message));
  refuse("secret", "the database URL must be postgres://USER@HOST:PORT/DATABASE, got a malformed one");
  refuse("mysql://me:secret@db/chain", "the database URL must begin with postgres://, got mysql://me@db/chain");
  refuse(
    "postgres://me@db/chain?schema=x",
    'a parameter of the database URL must be one of host, sslmode, sslrootcert, got "schema"',
  );
});

test.each(["user", "password", "database"])(
  "refuses a percent sign in the %s that encodes nothing, without showing the text",
  (what) => {
    const text = (name: string) => (name === what ? "hunter2%zz" : "x");
    const url = `postgres://${text("user")}:${text("password")}@db/${text("database")}`;
    expect(() => parseDatabaseUrl(url, {})).toThrow(new RangeError(`the database URL must have % in its ${what} as %25`));
  },
);

test.each(["5/hunter2", "55?hunter2", "5#hunter2", "/hunter2"])(
  "a password %s that is not encoded is not shown",
  (password) => {
    const url = `postgres://me:${password}@db/chain`;
    const message = String(thrownBy(() => parseDatabaseUrl(url, {})));
    expect(message).toMatch(/^RangeError: the database URL must /);
    expect([message, redactUrl(url)].join()).not.toMatch(/hunter2|:5/);
  },
);

test("a redacted URL has no password and no parameters", () => {
  expect(redactUrl("postgres://me:secret@db:5433/chain?password=secret")).toBe("postgres://me@db:5433/chain");
  expect(redactUrl("secret")).toBe("a malformed URL");
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

function passwordFile(lines: readonly string[]): string {
  const file = join(temporaryFolder(), "pgpass");
  writeFileSync(file, lines.join("\n"), { mode: 0o600 });
  return file;
}
