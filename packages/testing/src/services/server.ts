/** The process and the folder of a server. A watchdog ends the process and removes the folder if the tests are killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdtemp, open, readFile, rm, statfs } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./ports.ts";

/** A server that a test started. */
export interface RunningServer extends AsyncDisposable {
  /** For `process.kill(pid, "SIGSTOP")` and the like. Changes when the server is started again. */
  readonly pid: number;
  readonly port: number;
  /** Ends the process like a crash. The files stay. */
  kill(): Promise<void>;
  /** Starts a killed server again on the same port. */
  start(): Promise<void>;
  /** Ends the server and removes its files. Can be called again. */
  stop(): Promise<void>;
}

/** The reason why this machine lacks a server, for skipped tests. */
export interface Unavailable {
  readonly reason: string;
}

/** A user of the system. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** How to run a server. */
interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Returns true when the server takes connections. */
  readonly ready: (process: { readonly pid: number; readonly log: string }) => Promise<boolean>;
}

/** The folder of cached files for later runs: `CHAIN_QUERY_TEST_CACHE`, or one in the system's temporary folder. */
export function testCache(): string {
  return process.env["CHAIN_QUERY_TEST_CACHE"] || join(tmpdir(), "chain-query-test-cache");
}

/** The folder of the files of servers: in memory if it has space, because disk writes are most of the cost of a database. */
export async function serversFolder(): Promise<string> {
  const memory = "/dev/shm";
  const space = await statfs(memory).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= LEAST_SPACE ? memory : tmpdir();
}

/** Bytes: the databases of a run have 8 MB or more each. */
const LEAST_SPACE = 4 * 2 ** 30;

// $1: a signal that ends the server, $2: its folder. stdin: the id of each process of the server; it ends with the tests.
const watchdog = `
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -s "$1" "$pid"
  tries=0
  while kill -s 0 "$pid" && [ "$tries" -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL "$pid"
fi 2>/dev/null
rm -rf "$2"
`;

/** A folder in memory or in the temporary folder, and the process that uses it. */
export class ServerProcess {
  readonly folder: string;
  readonly #user: User | undefined;
  readonly #endSignal: NodeJS.Signals;
  readonly #watchdog: ChildProcess;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();

  private constructor(folder: string, user: User | undefined, endSignal: NodeJS.Signals) {
    this.folder = folder;
    this.#user = user;
    this.#endSignal = endSignal;
    // Processes of their own groups: Ctrl-C in a terminal reaches the tests only.
    this.#watchdog = spawn("/bin/sh", ["-c", watchdog, "sh", endSignal.slice("SIG".length), folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#watchdog.unref();
    if (this.#watchdog.stdin instanceof Socket) this.#watchdog.stdin.unref();
  }

  /** Makes the folder. `endSignal` ends the server at once. */
  static async create(name: string, options: { user?: User | undefined; endSignal: NodeJS.Signals }): Promise<ServerProcess> {
    const folder = await mkdtemp(join(await serversFolder(), `chain-query-${name}-`));
    if (options.user !== undefined) await chown(folder, options.user.uid, options.user.gid);
    return new ServerProcess(folder, options.user, options.endSignal);
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error("the server is not running");
    return this.#child.pid;
  }

  /** Starts the process and waits until it is ready. */
  async launch({ command, args, env, ready }: Launch): Promise<void> {
    const logFile = join(this.folder, "log");
    const log = await open(logFile, "w");
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
      ...this.#user,
    });
    let ended: string | undefined;
    this.#exited = new Promise((resolve) => {
      child.once("error", (error) => {
        ended = error.message;
        resolve();
      });
      child.once("exit", (code, signal) => {
        ended = `exit ${code ?? signal}`;
        resolve();
      });
    });
    child.unref();
    await log.close();
    const { pid } = child;
    if (pid !== undefined) {
      this.#child = child;
      this.#watchdog.stdin?.write(`${pid}\n`);
      void this.#exited.then(() => {
        if (this.#child === child) this.#forget();
      });
    }
    const giveUp = Date.now() + 60_000;
    while (pid === undefined || !(await ready({ pid, log: await readFile(logFile, "utf8") }))) {
      if (pid === undefined) await this.#exited;
      if (ended !== undefined || Date.now() > giveUp) {
        await this.end("SIGKILL");
        throw new Error(`${command} did not start (${ended ?? "60 s"}): ${(await readFile(logFile, "utf8")).slice(-2000)}`);
      }
      await sleep(10);
    }
  }

  /**
   * Runs the process on a free port.
   *
   * @param launch - Starts it on a port, the first time and after each `kill`.
   * @param prepare - Called before the first start.
   */
  async run(launch: (port: number) => Promise<void>, prepare: () => Promise<void> = async () => {}): Promise<RunningServer> {
    const process = this;
    const stop = async () => {
      await this.end();
      await this.#remove();
    };
    try {
      await prepare();
      const port = await startOnFreePort(launch);
      return {
        get pid() {
          return process.pid;
        },
        port,
        kill: () => this.end(),
        start: () => launch(port),
        stop,
        [Symbol.asyncDispose]: stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** Ends the process, by default at once, and waits for it. */
  async end(signal: NodeJS.Signals = this.#endSignal): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.ref();
    // A stopped process handles signals when it continues.
    process.kill(child.pid, "SIGCONT");
    process.kill(child.pid, signal);
    await this.#exited;
  }

  async #remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    this.#watchdog.stdin?.end();
  }

  #forget(): void {
    this.#child = undefined;
    if (this.#watchdog.stdin?.writable) this.#watchdog.stdin.write("\n");
  }
}

/** Starts a server on a free port; tries another port if a process took it in the meantime. Returns the port. */
async function startOnFreePort(start: (port: number) => Promise<void>): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      await start(port);
      return port;
    } catch (error) {
      if (attempt === 5 || !/in use/i.test(String(error))) throw error;
    }
  }
}
