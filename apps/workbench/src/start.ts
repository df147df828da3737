/** `pnpm start`: builds what is stale, starts service, mock and docs, and shows that the service answers all eight operations. */

import { refuseTakenPort } from "./start/free-port.ts";
import { parseFlags, parsePort, runCommand, UsageError } from "./workspace/command.ts";
import { turbo } from "./workspace/turbo.ts";

const help = `Builds the workspace, starts the service on a small chain that makes blocks, the mock and the docs, calls all eight
operations of the service and stays up until Ctrl-C.

  pnpm start [--service-port N] [--port N] [--docs-port N] [--once]

  --service-port N  port of the service (4012; 0 takes a free one)
  --port N          port of the mock (4010; 0 takes a free one)
  --docs-port N     port of the docs (4011; 0 takes a free one)
  --once            end after the table
  --help            this text`;

await runCommand(async () => {
  const { values } = parseFlags({
    options: {
      "service-port": { type: "string", default: "4012" },
      port: { type: "string", default: "4010" },
      "docs-port": { type: "string", default: "4011" },
      once: { type: "boolean", default: false },
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
  const byFlag = { "--service-port": ports.service, "--port": ports.mock, "--docs-port": ports.docs };
  refuseSamePorts(byFlag);
  for (const [flag, port] of Object.entries(byFlag)) await refuseTakenPort(flag, port);

  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false"]);
  if (built !== 0) return built;

  // Only now do the packages exist.
  const { startAll } = await import("./start/start-all.ts");
  const { touring } = await import("./start/touring.ts");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const running = await startAll(ports, stop.signal);
  try {
    const { table, failed } = await touring(running.service);
    const { service, mock, docs } = running;
    console.log(`\n${table}\n\nservice  ${service}\nmock     ${mock}\ndocs     ${docs}`);
    if (values.once) return failed ? 1 : 0;
    console.log("\nCtrl-C ends all three.");
    await aborted(stop.signal);
    return 0;
  } finally {
    await running.close();
  }
});

function refuseSamePorts(ports: Readonly<Record<string, number>>): void {
  const chosen = Object.entries(ports).filter(([, port]) => port !== 0);
  for (const [flag, port] of chosen) {
    const other = chosen.find(([name, its]) => its === port && name !== flag);
    if (other) throw new UsageError(`${flag} and ${other[0]} are both ${port}; service, mock and docs need one each`);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
