/** A real registry on loopback, with nothing in it, that is gone afterwards. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "./tools.ts";

/** A running registry. */
export interface Registry extends AsyncDisposable {
  url: string;
  /** Makes a user, who may publish what the access rules let that name publish, and resolves to the token. */
  addUser(name: string): Promise<string>;
}

/** Who may publish which packages; the first pattern that fits counts. Everybody may read. */
export type PublishRules = Readonly<Record<string, string>>;

/** Starts Verdaccio on a free port with its storage in `folder`. It knows no other registry. */
export async function startRegistry(folder: string, rules: PublishRules, signal: AbortSignal): Promise<Registry> {
  const verdaccio = await installed("verdaccio", signal);
  await mkdir(folder, { recursive: true });
  const config = {
    storage: join(folder, "storage"),
    self_path: folder,
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 10 } },
    uplinks: {},
    packages: Object.fromEntries(Object.entries(rules).map(([pattern, publish]) => [pattern, { access: "$all", publish }])),
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "fatal" },
  };
  const program = fileURLToPath(new URL("registry-server.ts", import.meta.url));
  const child = fork(program, [verdaccio, JSON.stringify(config)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const port = await portOf(child);
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    addUser: (name) => addUser(url, name),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.once("message", (port) => resolve(Number(port)));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the registry ended with ${code}:\n${said}`)));
  });
}

async function addUser(registry: string, name: string): Promise<string> {
  const answer = await fetch(`${registry}-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  const { token }: { token?: string } = JSON.parse(await answer.text());
  if (token === undefined) throw new Error(`the registry makes no user ${name}: ${answer.status}`);
  return token;
}
