/** Types the commands of the guides about lite servers as they are written, and runs their programs. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, workspacePackages } from "../../src/workspace/packages.ts";

/** A block of code of a guide. */
interface Block {
  readonly guide: string;
  readonly language: string;
  readonly text: string;
}

/** In the order in which a reader goes through them: the second guide uses the configuration of the first one. */
const blocks = ["local-lite-server.md", "live-network.md"].flatMap((guide): Block[] => {
  const markdown = readFileSync(join(root, "apps/docs/guides", guide), "utf8");
  return [...markdown.matchAll(/^```(console|ts)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
    guide,
    language,
    text,
  }));
});

/** Commands that run until Ctrl-C, and what shows that they are up. */
const lasting: readonly (readonly [RegExp, (output: string) => boolean])[] = [
  [
    / serve /,
    () => existsSync(join(folder, "global.config.json")) && readFileSync(join(folder, "global.config.json"), "utf8") !== "",
  ],
  [/local-chain run /, () => true],
  [/chain-query\/server /, (output) => output.includes("http://")],
];

/** Folders of the reader, and of programs whose imports resolve. */
const folder = mkdtempSync(join(tmpdir(), "chain-query-guides-"));
const programs = join(root, "apps/workbench/.reports/guides");
const running: ChildProcess[] = [];
let ports: ReadonlyMap<string, string>;

beforeAll(async () => {
  ports = new Map(await Promise.all(["4920", "8080"].map(async (port) => [port, await freePort()] as const)));
  mkdirSync(join(folder, "bin"));
  const bins = workspacePackages(root).flatMap(({ name, folder: home }) => {
    const { bin = {} }: { bin?: Record<string, string> } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    const [program] = Object.values(bin);
    return program === undefined ? [] : [`  ${name}) program='${join(home, program)}' ;;`];
  });
  const npx = [
    "#!/bin/sh",
    'name="$1"',
    "shift",
    'case "$name" in',
    ...bins,
    "esac",
    `exec '${process.execPath}' "$program" "$@"`,
  ];
  writeFileSync(join(folder, "bin/npx"), `${npx.join("\n")}\n`);
  chmodSync(join(folder, "bin/npx"), 0o755);
  mkdirSync(programs, { recursive: true });
});

async function stop(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = once(child, "close");
    child.kill("SIGINT");
    await closed;
  }
}

afterAll(async () => {
  await stop(running.toReversed());
  rmSync(folder, { recursive: true, force: true });
  rmSync(programs, { recursive: true, force: true });
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return String(typeof address === "object" ? address?.port : undefined);
}

function withPorts(text: string): string {
  return [...ports].reduce((changed, [written, free]) => changed.replaceAll(written, free), text);
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
  CHAIN_QUERY_PORT: ports.get("8080"),
});

/** Runs a command until it ends, or until it is up if it does not end. */
async function type(command: string): Promise<string> {
  const isUp = lasting.find(([pattern]) => pattern.test(command))?.[1];
  if (isUp === undefined) {
    const { stdout } = await promisify(execFile)("sh", ["-ec", withPorts(command)], { cwd: folder, env: environment() });
    return stdout;
  }
  await stop(
    running.filter(
      (each) => each.spawnargs.join(" ").includes("chain-query/server ") && command.includes("chain-query/server "),
    ),
  );
  const child = spawn("sh", ["-ec", `exec ${withPorts(command)}`], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  while (!isUp(output)) {
    if (child.exitCode !== null) throw new Error(`${command} exited with ${child.exitCode}: ${output}`);
    await sleep(50);
  }
  return output;
}

async function runBlock({ language, text }: Block, name: string): Promise<string> {
  if (language === "ts") {
    const program = join(programs, `${name}.mts`);
    writeFileSync(program, withPorts(text));
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", program], {
      cwd: folder,
      timeout: 60_000,
    });
    return stdout;
  }
  const printed: string[] = [];
  for (const command of text.replaceAll("\\\n", " ").trim().split("\n")) printed.push(await type(command));
  return printed.join("");
}

test("every command and program of the guides works, one after another", async () => {
  expect(blocks.length).toBeGreaterThan(8);
  const outputs: string[] = [];
  for (const [index, block] of blocks.entries()) {
    outputs.push(await runBlock(block, `block-${index}`));
    const config = join(folder, "global.config.json");
    // The reader's own file of servers with the whole history.
    if (existsSync(config)) copyFileSync(config, join(folder, "archive.config.json"));
  }
  expect(outputs.join("\n")).toContain("head");
});
