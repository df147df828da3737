/** The commands and programs of guides, as they are written. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type CodeBlock, codeBlocks, writeNpx, writePrograms } from "@chain-query/testing/markdown";
import { freePort, sharedPostgres, startRedis } from "@chain-query/testing/services";
import { showIfFailed, until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { root } from "../src/workspace/packages.ts";

/** The second guide uses the configuration of the first one. */
const liteBlocks = blocksOf("local-lite-server.md", "live-network.md");
const configIn = (folder: string) => join(folder, "global.config.json");

const liteCommands: readonly LongRunning[] = [
  [/server lite /, (_, folder) => existsSync(configIn(folder)) && readFileSync(configIn(folder), "utf8") !== ""],
  [/local-chain run /, () => true],
  [/chain-query\/server /, (output) => output.includes("http://")],
];

test("every command and program of the guides about lite servers works, one after another", async () => {
  expect(liteBlocks.length).toBeGreaterThan(8);
  await using reader = await startReader(["4920", "8080"], liteCommands);
  const outputs: string[] = [];
  for (const block of liteBlocks) {
    outputs.push(await reader.run(block));
    const config = configIn(reader.folder);
    // The reader's own file of servers with the whole history.
    if (existsSync(config)) copyFileSync(config, join(reader.folder, "archive.config.json"));
  }
  expect(outputs.join("\n")).toContain("head");
});

const scaleOutCommands: readonly LongRunning[] = [
  [/indexer run /, (output) => output.includes('"phase":"following"')],
  [/local-chain run /, () => true],
  [/chain-query\/server --port/, (output) => output.includes("http://")],
];

test("every command of the guide Scale out works, on a real PostgreSQL and a real Redis", async ({ skip }) => {
  const redis = await startRedis();
  if ("reason" in redis) return skip(redis.reason);
  await using _redis = redis;
  const postgres = await sharedPostgres();
  const replacements = {
    "postgres://chain@127.0.0.1:5432/chain": await postgres.createDatabase(),
    "redis://127.0.0.1:6379": redis.url,
  };
  await using reader = await startReader(["8081", "8082"], scaleOutCommands, replacements);
  const printed: string[] = [];
  for (const block of blocksOf("scale-out.md")) printed.push(await reader.run(block));

  expect(printed.join("\n")).toMatch(/"seqno":\d+[\s\S]*"seqno":\d+/);
});

/** Commands that run until Ctrl-C, and the condition under which one is up. */
type LongRunning = readonly [RegExp, (output: string, folder: string) => boolean];

/** Types the commands of guides as they are written, and runs their programs. */
interface Reader extends AsyncDisposable {
  readonly folder: string;
  /** Runs a block and resolves to the output. Long-running commands run until the reader is disposed. */
  run(block: CodeBlock): Promise<string>;
}

/** The blocks of `console` and `ts`, in the order in which a reader goes through them. */
function blocksOf(...guides: readonly string[]): CodeBlock[] {
  const texts = guides.map((guide) => readFileSync(join(root, "apps/docs/guides", guide), "utf8"));
  return texts.flatMap((markdown) => codeBlocks(markdown, "console", "ts"));
}

/**
 * @param ports - that the guides name; the reader uses free ones.
 * @param replacements - of other texts, such as the address of a database.
 */
async function startReader(
  ports: readonly string[],
  longRunning: readonly LongRunning[],
  replacements: Readonly<Record<string, string>> = {},
): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-guides-"));
  const programs = writePrograms(join(root, "apps/tools"), {});
  const free = await Promise.all(ports.map(async (port) => [port, String(await freePort())] as const));
  const written = [...Object.entries(replacements), ...free];
  const asTyped = (text: string): string => written.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  const servicePort = new Map(free).get("8080");
  const exported: Record<string, string> = servicePort === undefined ? {} : { CHAIN_QUERY_PORT: servicePort };
  const running: { readonly command: string; readonly child: ChildProcess }[] = [];
  writeNpx(join(folder, "bin"));

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    ...exported,
  });

  /** Runs a command until it ends, or until it is up if it does not end. */
  async function type(command: string): Promise<string> {
    const [, variable, value = ""] = /^export (\w+)=(.*)$/.exec(command) ?? [];
    if (variable !== undefined) {
      exported[variable] = value;
      return "";
    }
    const isUp = longRunning.find(([pattern]) => pattern.test(command))?.[1];
    if (isUp === undefined) {
      const { stdout } = await promisify(execFile)("sh", ["-ec", command], { cwd: folder, env: environment() });
      return stdout;
    }
    // A reader ends a service before starting it on the same port with other options.
    const port = /--port (\d+)/.exec(command)?.[1];
    const isService = (text: string) => text.includes("chain-query/server ");
    const replaced = running.filter(
      (each) => isService(each.command) && isService(command) && /--port (\d+)/.exec(each.command)?.[1] === port,
    );
    await stop(replaced.map(({ child }) => child));
    const child = spawn("sh", ["-ec", `exec ${command}`], {
      cwd: folder,
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.push({ command, child });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (part: string) => {
        output += part;
      });
    }
    showIfFailed(command, () => output);
    await until(() => {
      if (child.exitCode !== null) throw new Error(`${command} exited with ${child.exitCode}: ${output}`);
      return isUp(output, folder);
    });
    return output;
  }

  return {
    folder,
    async run({ language, text, line }) {
      if (language === "ts") {
        const program = join(programs.folder, `${line}-${text.length}.mts`);
        writeFileSync(program, asTyped(text));
        const options = { cwd: folder, timeout: 60_000 };
        return (await promisify(execFile)(process.execPath, ["--no-warnings", program], options)).stdout;
      }
      const printed: string[] = [];
      for (const command of asTyped(text).replaceAll("\\\n", " ").trim().split("\n")) printed.push(await type(command));
      return printed.join("");
    },
    async [Symbol.asyncDispose]() {
      await stop(running.map(({ child }) => child).toReversed());
      rmSync(folder, { recursive: true, force: true });
      programs.dispose();
    },
  };
}

async function stop(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = once(child, "close");
    child.kill("SIGINT");
    await closed;
  }
}
