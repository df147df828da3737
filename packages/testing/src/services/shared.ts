/** Servers that all tests of a run share. */
import { databasesOn, type PostgresDatabases } from "./postgres.ts";

/** The connection data of the shared servers. */
export interface SharedServices {
  readonly postgres: { readonly port: number; readonly major: number };
  /** The browser's WebSocket endpoint, for `chromium.connect`. */
  readonly browser: string;
  readonly tarballs: Tarballs;
}

/** The packed packages of a copy of the workspace. */
export interface Tarballs {
  readonly copy: string;
  /** Paths of tarballs by the names of their packages. */
  readonly paths: Readonly<Record<string, string>>;
}

/** Set by the global setup of a run. */
export const servicesVariable = "CHAIN_QUERY_TEST_SERVICES";

/**
 * The databases of the run's PostgreSQL. All tests share its roles and settings: tests that change these, or end the server, start their
 * own with `startPostgres`.
 */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  return databasesOn(await service("postgres"));
}

/** The WebSocket endpoint of the run's browser, for `chromium.connect`. */
export function sharedBrowser(): Promise<string> {
  return service("browser");
}

/** The public packages, packed once for a run. */
export function sharedTarballs(): Promise<Tarballs> {
  return service("tarballs");
}

/** Starts the service unless it runs. */
async function service<Name extends keyof SharedServices>(name: Name): Promise<SharedServices[Name]> {
  const services = process.env[servicesVariable];
  if (services === undefined) throw new Error("shared services run only during tests: the global setup starts them");
  const response = await fetch(new URL(name, services));
  if (!response.ok) throw new Error(`${name} did not start: ${await response.text()}`);
  return (await response.json()) as SharedServices[Name];
}
