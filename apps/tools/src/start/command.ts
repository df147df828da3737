/** `pnpm start`: builds the workspace, starts service, mock and docs, and calls the eight operations of the service. */
import { once } from "node:events";
import { createServer } from "node:net";
import { UserError, wholeNumber } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { turbo } from "../workspace/processes.ts";

const port = wholeNumber(0, 65_535, "<port>");
const commands = {
  "": {
    summary: "builds, starts the service on a small chain, the mock and the docs, and calls all eight operations",
    flags: {
      servicePort: { type: port, default: "4012", help: "port of the service; 0 takes a free one" },
      port: { type: port, default: "4010", help: "port of the mock; 0 takes a free one" },
      docsPort: { type: port, default: "4011", help: "port of the docs; 0 takes a free one" },
      once: { help: "end after the table" },
      noBuild: { help: "skip the build" },
    },
  },
} as const;

await runCommand("start", commands, async (options) => {
  const ports = { service: options.servicePort, mock: options.port, docs: options.docsPort };
  await refuseTakenPorts({ "--service-port": ports.service, "--port": ports.mock, "--docs-port": ports.docs });
  if (!options.noBuild) console.log("Building, up to a minute the first time.");
  const built = options.noBuild ? 0 : await turbo(["build"], ["--output-logs=errors-only", "--summarize=false"], true);
  if (built !== 0) return built;

  // Imported here, because they import packages that have just been built.
  const { startServices } = await import("./services.ts");
  const { tour } = await import("./tour.ts");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const running = await startServices(ports, stop.signal);
  try {
    const { table, failed } = await tour(running.service);
    const { service, mock, docs } = running;
    console.log(`\n${table}\n\nservice  ${service}\nmock     ${mock}\ndocs     ${docs}`);
    if (options.once) return failed ? 1 : 0;
    console.log(`\nPress Ctrl-C to stop all three.\nOpen the docs: ${docs}`);
    if (!stop.signal.aborted) await once(stop.signal, "abort");
    return 0;
  } finally {
    await running.close();
  }
});

/** Throws a UserError for a port that is taken or given twice, before a build that would be in vain. */
async function refuseTakenPorts(ports: Readonly<Record<string, number>>): Promise<void> {
  for (const [flag, port] of Object.entries(ports).filter(([, chosen]) => chosen !== 0)) {
    const other = Object.entries(ports).find(([name, its]) => its === port && name !== flag)?.[0];
    if (other !== undefined) throw new UserError(`${flag} and ${other} are both ${port}; expected a port for each`);
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = { EADDRINUSE: "is taken", EACCES: "needs more rights than this user has" }[code ?? ""] ?? message;
      throw new UserError(`port ${port} on 127.0.0.1 ${reason}; choose another with ${flag}, or 0 for any free one`);
    }
    server.close();
    await once(server, "close");
  }
}
