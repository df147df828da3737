/** `pnpm start`: builds the workspace, starts service, mock and docs, and calls the eight operations of the service. */
import { once } from "node:events";
import { createServer } from "node:net";
import { parseFlags, parsePort, runCommand, UsageError } from "../workspace/command-line.ts";
import { turbo } from "../workspace/turbo.ts";

const help = `Builds the workspace, starts the service on a small chain that makes blocks, the mock and the docs, calls all eight
operations of the service and stays up until Ctrl-C.

  pnpm start [--service-port N] [--port N] [--docs-port N] [--once] [--no-build]

  --service-port N  port of the service (4012; 0 takes a free one)
  --port N          port of the mock (4010; 0 takes a free one)
  --docs-port N     port of the docs (4011; 0 takes a free one)
  --once            end after the table
  --no-build        start what is built already
  --help            show this text`;

await runCommand(async () => {
  const { values } = parseFlags({
    options: {
      "service-port": { type: "string", default: "4012" },
      port: { type: "string", default: "4010" },
      "docs-port": { type: "string", default: "4011" },
      once: { type: "boolean", default: false },
      "no-build": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const ports = {
    service: parsePort("--service-port", values["service-port"]),
    mock: parsePort("--port", values.port),
    docs: parsePort("--docs-port", values["docs-port"]),
  };
  await refuseTakenPorts({ "--service-port": ports.service, "--port": ports.mock, "--docs-port": ports.docs });
  const built = values["no-build"] ? 0 : await turbo(["build"], ["--output-logs=errors-only", "--summarize=false"]);
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
    if (values.once) return failed ? 1 : 0;
    console.log("\nPress Ctrl-C to stop all three.");
    if (!stop.signal.aborted) await once(stop.signal, "abort");
    return 0;
  } finally {
    await running.close();
  }
});

/** Throws a UsageError for a port that is taken or given twice, before a build that would be in vain. */
async function refuseTakenPorts(ports: Readonly<Record<string, number>>): Promise<void> {
  for (const [flag, port] of Object.entries(ports).filter(([, chosen]) => chosen !== 0)) {
    const other = Object.entries(ports).find(([name, its]) => its === port && name !== flag)?.[0];
    if (other !== undefined) throw new UsageError(`${flag} and ${other} are both ${port}; expected a port for each`);
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = { EADDRINUSE: "is taken", EACCES: "needs more rights than this user has" }[code ?? ""] ?? message;
      throw new UsageError(`port ${port} on 127.0.0.1 ${reason}; choose another with ${flag}, or 0 for any free one`);
    }
    server.close();
    await once(server, "close");
  }
}
