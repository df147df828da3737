/** Starts HAProxy in front of HTTP servers of this machine. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { until } from "../until.ts";
import { debianProgram } from "./debian.ts";
import { type RunningServer, ServerProcess, type Unavailable } from "./server.ts";

const run = promisify(execFile);

/** An HAProxy that sends each request to the next healthy server. */
export interface HaproxyServer extends RunningServer {
  readonly url: string;
  /** Adds the server of a port, and waits until its health check passes. */
  add(port: number): Promise<void>;
  /** Sends no more requests to the server of a port, and waits until it has answered the open ones. */
  remove(port: number): Promise<void>;
  /** The number of requests that each server has received, by port. */
  requests(): Promise<Map<number, number>>;
}

/** Options of `startHaproxy`. */
export interface HaproxyOptions {
  /** The ports of the servers on 127.0.0.1. */
  readonly ports: readonly number[];
  /** A configuration of a port; its backend `api` has the server template `instance` of ten servers, disabled. */
  readonly configuration: (port: number) => string;
}

const slots = Array.from({ length: 10 }, (_, index) => `instance${index + 1}`);

/** Starts HAProxy: the machine's, or Debian's. */
export async function startHaproxy(options: HaproxyOptions): Promise<HaproxyServer | Unavailable> {
  const program = await debianProgram("haproxy");
  if ("reason" in program) return program;
  const server = await ServerProcess.create("haproxy", { endSignal: "SIGKILL" });
  const socket = join(server.folder, "admin");
  const files = [join(server.folder, "haproxy.cfg"), join(server.folder, "admin.cfg")] as const;
  const used = new Map<number, string>();

  const launch = async (port: number) => {
    await writeFile(files[0], options.configuration(port));
    await writeFile(files[1], `global\n  stats socket ${socket} mode 600 level admin\n`);
    await server.launch({
      command: program.path,
      args: ["-db", ...files.flatMap((file) => ["-f", file])],
      env: program.env,
      // Servers count as available until their first checks are over.
      ready: () =>
        allStatistics(socket).then(
          (rows) => rows.every(({ status, check_status }) => !/\d\/\d/.test(status) && !check_status.endsWith("INI")),
          () => false,
        ),
    });
  };
  const enable = (slot: string, port: number) =>
    administer(socket, `set server api/${slot} addr 127.0.0.1 port ${port}; enable server api/${slot}`);
  const add = async (port: number) => {
    const slot = used.get(port) ?? slots.find((name) => ![...used.values()].includes(name));
    if (slot === undefined) throw new Error(`at most ${slots.length} servers`);
    used.set(port, slot);
    await enable(slot, port);
    await until(
      () => statistics(socket, slot),
      ({ status, check_status }) => status === "UP" && check_status === "L7OK",
    );
  };
  const running = await server.run(launch);
  const { port } = running;
  await Promise.all(options.ports.map(add)).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  return Object.assign(running, {
    url: `http://127.0.0.1:${port}`,
    add,
    async remove(removed: number) {
      const slot = used.get(removed);
      if (slot === undefined) throw new Error(`no server has port ${removed}`);
      await administer(socket, `set server api/${slot} state drain`);
      await until(
        () => statistics(socket, slot),
        ({ scur }) => scur === "0",
      );
      await administer(socket, `set server api/${slot} state maint`);
      used.delete(removed);
    },
    async requests() {
      const counts = new Map<number, number>();
      for (const [each, slot] of used) counts.set(each, Number((await statistics(socket, slot)).stot));
      return counts;
    },
    async start() {
      await launch(port);
      for (const [each, slot] of used) await enable(slot, each);
    },
  });
}

/** Checks a configuration file without starting. Returns the errors and warnings of HAProxy, or an empty text. */
export async function checkHaproxyConfiguration(file: string): Promise<string | Unavailable> {
  const program = await debianProgram("haproxy");
  if ("reason" in program) return program;
  const env = { ...process.env, ...program.env };
  const { stderr } = await run(program.path, ["-c", "-f", file], { env }).catch((failed: { stderr: string }) => failed);
  return stderr.trim();
}

/** Sends commands to the admin socket; returns their output. */
async function administer(socket: string, commands: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${commands}\n`);
  return text(connection);
}

/** Columns of HAProxy's statistics: proxy, server, state, last health check, current sessions, total sessions. */
interface Row {
  readonly pxname: string;
  readonly svname: string;
  readonly status: string;
  readonly check_status: string;
  readonly scur: string;
  readonly stot: string;
}

async function statistics(socket: string, slot: string): Promise<Row> {
  const row = (await allStatistics(socket)).find(({ pxname, svname }) => pxname === "api" && svname === slot);
  if (row === undefined) throw new Error(`HAProxy has no statistics of ${slot}`);
  return row;
}

async function allStatistics(socket: string): Promise<readonly Row[]> {
  const [head = "", ...lines] = (await administer(socket, "show stat")).trim().replace("# ", "").split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    const cell = (name: keyof Row) => cells[names.indexOf(name)] ?? "";
    return {
      ...{ pxname: cell("pxname"), svname: cell("svname"), status: cell("status"), check_status: cell("check_status") },
      ...{ scur: cell("scur"), stot: cell("stot") },
    };
  });
}
