import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { ConnectionOptions } from "node:tls";

/** Where a database is, and how to log in. */
interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** False, or the options of TLS. */
  readonly tls: boolean | "prefer" | ConnectionOptions;
}

/** The environment variables that are read: those of libpq, and the one of a systemd unit. */
export type Environment = Readonly<
  Partial<Record<"PGUSER" | "PGPASSWORD" | "PGPASSFILE" | "CREDENTIALS_DIRECTORY" | "USER", string>>
>;

const PARAMETERS = ["host", "sslmode", "sslrootcert"];
const TLS_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];

/**
 * Reads a URL of PostgreSQL. The password comes from the URL, else from `PGPASSWORD`, else from the file `PGPASSFILE`.
 *
 * @throws RangeError if the URL or the password file is wrong. The message never contains the password.
 */
export function parseDatabaseUrl(url: string, env: Environment): DatabaseAddress {
  const { protocol, hostname, port, pathname, username, password, searchParams } = parsedUrl(url);
  if (protocol !== "postgres:" && protocol !== "postgresql:")
    throw new RangeError(`the database URL must begin with postgres://, got ${redactUrl(url)}`);
  for (const name of searchParams.keys())
    if (!PARAMETERS.includes(name))
      throw new RangeError(`a parameter of the database URL must be one of ${PARAMETERS.join(", ")}, got "${name}"`);
  const user = decoded(username, "user") || env.PGUSER || env.USER || "postgres";
  const address = {
    host: searchParams.get("host") ?? (hostname.replace(/^\[(.*)\]$/, "$1") || "localhost"),
    port: Number(port || 5432),
    database: decoded(pathname.slice(1), "database") || user,
    user,
  };
  const given = decoded(password, "password") || env.PGPASSWORD;
  return {
    ...address,
    password: given || (env.PGPASSFILE ? passwordInFile(env.PGPASSFILE, env.CREDENTIALS_DIRECTORY, address) : ""),
    tls: tlsOptions(searchParams.get("sslmode"), searchParams.get("sslrootcert"), address.host),
  };
}

/**
 * A URL without its password, for logs and messages.
 *
 * @example
 * redactUrl("postgres://indexer:secret@db/chain"); // "postgres://indexer@db/chain"
 */
export function redactUrl(url: string): string {
  try {
    const { protocol, username, host, pathname } = parsedUrl(url);
    return `${protocol}//${username && `${username}@`}${host}${pathname}`;
  } catch {
    return "a malformed URL";
  }
}

function parsedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new RangeError("the database URL must be postgres://USER@HOST:PORT/DATABASE, got a malformed one");
  // All before the @ may be the password.
  if (`${url.pathname}${url.search}${url.hash}`.includes("@"))
    throw new RangeError(
      "the database URL must have / ? # @ in a name or password as %2F %3F %23 %40, got one with @ after its host",
    );
  return url;
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Without the cause, which contains the text.
    throw new RangeError(`the database URL must have % in its ${what} as %25`);
  }
}

/** `require` encrypts without checking the certificate, as libpq does without a root certificate. */
function tlsOptions(mode: string | null, rootFile: string | null, host: string): DatabaseAddress["tls"] {
  if (mode === null || mode === "disable") return false;
  if (!TLS_MODES.includes(mode)) throw new RangeError(`sslmode must be one of ${TLS_MODES.join(", ")}, got "${mode}"`);
  if (mode === "prefer") return "prefer";
  const ca = rootFile === null ? {} : { ca: readText(rootFile, "sslrootcert") };
  if (mode === "require" && rootFile === null) return { rejectUnauthorized: false };
  if (mode === "verify-full") return { ...ca, servername: host };
  return { ...ca, checkServerIdentity: () => undefined };
}

/**
 * PostgreSQL's password file: lines of `host:port:database:user:password`, where `*` matches everything.
 *
 * @param folder - The credentials of a systemd unit.
 */
function passwordInFile(
  file: string,
  folder: string | undefined,
  { host, port, database, user }: Omit<DatabaseAddress, "password" | "tls">,
): string {
  const text = readText(file, "PGPASSFILE");
  // systemd lets the user of a unit read its credentials by an ACL, whose mask is in the place of the group's permissions.
  const refused = dirname(file) === folder ? 0o007 : 0o077;
  if (process.platform !== "win32" && statSync(file).mode & refused)
    throw new RangeError(`PGPASSFILE must not be readable by other users: chmod 600 ${file}`);
  const wanted = [isAbsolute(host) ? "localhost" : host, `${port}`, database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line === "" || line.startsWith("#")) continue;
    const [password = "", ...fields] = fieldsOf(line).reverse();
    const isMatch = fields.reverse().every((field, i) => field === "*" || field === wanted[i]);
    if (fields.length === wanted.length && isMatch) return password;
  }
  return "";
}

/** Colons and backslashes in a field are escaped by a backslash. */
function fieldsOf(line: string): string[] {
  return Array.from(line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g), ([, field = ""]) => field.replace(/\\(.)/g, "$1")).slice(0, 5);
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new RangeError(`${what}: cannot read ${file}`, { cause });
  }
}
