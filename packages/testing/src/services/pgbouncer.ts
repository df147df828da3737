/** Starts PgBouncer in front of PostgreSQL servers of this machine. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { debianProgram, readableCopy } from "./debian.ts";
import { unprivilegedUser } from "./postgres-programs.ts";
import { type RunningServer, ServerProcess, type Unavailable } from "./server.ts";

/** A PgBouncer on a free port of 127.0.0.1. */
export interface PgbouncerServer extends RunningServer {
  /** Writes the configuration again and reads it, which keeps the connections of clients. */
  reload(): Promise<void>;
}

/**
 * Starts PgBouncer: the machine's, or Debian's.
 *
 * @param configuration - The text of pgbouncer.ini. The file of users has each of `users`, without a password.
 */
export async function startPgbouncer(
  users: readonly string[],
  configuration: (port: number, usersFile: string) => string,
): Promise<PgbouncerServer | Unavailable> {
  const installed = await debianProgram("pgbouncer");
  if ("reason" in installed) return installed;
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? await unprivilegedUser() : undefined;
  const server = await ServerProcess.create("pgbouncer", { user, endSignal: "SIGKILL" });
  const [file, usersFile] = [join(server.folder, "pgbouncer.ini"), join(server.folder, "userlist.txt")];
  const write = async (port: number) => {
    await writeFile(usersFile, users.map((name) => `"${name}" ""\n`).join(""));
    await writeFile(file, configuration(port, usersFile));
  };
  const running = await server.run(async (port) => {
    const program = await readableCopy(installed, join(server.folder, "packages"));
    await write(port);
    await server.launch({
      command: program.path,
      args: [file],
      env: program.env,
      ready: async ({ log }) => log.includes("process up"),
    });
  });
  return Object.assign(running, {
    async reload() {
      await write(running.port);
      process.kill(running.pid, "SIGHUP");
    },
  });
}
