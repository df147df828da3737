/** Servers in processes of their own: started, asked how they are, and ended. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Question, Role } from "./subject.ts";

/** A server under test. */
export interface Subject extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  ask(question: Question): Promise<number>;
}

/** Starts a server in a process of its own. */
export async function startSubject(role: Role): Promise<Subject> {
  const profile = process.env["SERVER_BENCH_PROFILE"];
  const child = fork(fileURLToPath(new URL("subject.ts", import.meta.url)), [JSON.stringify(role)], {
    execArgv: [
      "--no-warnings",
      "--expose-gc",
      ...(profile === undefined || role.kind !== "service" ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]),
    ],
  });
  const url = await Promise.race([
    once(child, "message").then(([url]) => String(url)),
    once(child, "exit").then(([code]): never => {
      throw new Error(`${role.kind} ended with ${code} before it answered`);
    }),
  ]);
  return {
    url,
    child,
    async ask(question) {
      child.send(question);
      const [answer] = await once(child, "message");
      return Number(answer);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}
