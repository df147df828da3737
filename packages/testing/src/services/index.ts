/** Starts real servers for tests. */

export { debianProgram, installedProgram } from "./debian.ts";
export { checkHaproxyConfiguration, type HaproxyOptions, type HaproxyServer, startHaproxy } from "./haproxy.ts";
export { type NginxServer, startNginx } from "./nginx.ts";
export { freePort } from "./ports.ts";
export {
  type DatabaseTemplate,
  inDatabase,
  type PostgresDatabases,
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from "./postgres.ts";
export { type RedisOptions, type RedisServer, startRedis } from "./redis.ts";
export type { RunningServer, Unavailable } from "./server.ts";
export { sharedBrowser, sharedPostgres, sharedTarballs, type Tarballs } from "./shared.ts";
export { installTarballs, pack } from "./tarballs.ts";
