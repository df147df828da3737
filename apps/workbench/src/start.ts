/** `pnpm start`: builds what is stale, starts the mock and the docs, and shows that all eight operations answer. */
import { parseFlags, parsePort, runCommand, UsageError } from "./command.ts";
import { table, tour } from "./tour.ts";
import { turbo } from "./turbo.ts";

const help = `Builds the workspace, starts the mock and the docs, calls all eight operations and stays up until Ctrl-C.

  pnpm start [--port N] [--docs-port N] [--once]

  --port N       port of the mock (4010; 0 takes a free one)
  --docs-port N  port of the docs (4011; 0 takes a free one)
  --once         end after the table
  --help         this text`;

await runCommand(async () => {
  const { values } = parseFlags({
    options: {
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
  const port = parsePort("--port", values.port);
  const docsPort = parsePort("--docs-port", values["docs-port"]);
  if (port === docsPort && port !== 0)
    throw new UsageError(`--port and --docs-port are both ${port}; the mock and the docs need one each`);

  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false"]);
  if (built !== 0) return built;

  // Only now do the packages exist.
  const { startMock, ListenError } = await import("@chain-query/mock");
  const { serveDocs } = await import("@chain-query/docs/serve");
  const { createClient } = await import("@chain-query/client");
  const { default: examples } = await import("@chain-query/openapi/examples.json", { with: { type: "json" } });

  const stopped = new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  const listening = <Server>(flag: string, start: Promise<Server>) =>
    start.catch((error: unknown) => {
      throw error instanceof ListenError ? new UsageError(error.message.replaceAll("--port", flag)) : error;
    });
  const mock = await listening("--port", startMock({ port }));
  try {
    const docs = await listening(
      "--docs-port",
      serveDocs({ port: docsPort }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === undefined ? error : new ListenError(error.code, docsPort, "127.0.0.1");
      }),
    );
    try {
      const address = examples.find(({ condition }) => condition === "active")?.request.body?.address ?? "";
      const { stops, failed } = await tour(
        (seen) =>
          createClient({
            baseUrl: mock.url,
            // The mock asks for no pace, and waiting would hide how long a call takes.
            rateLimit: false,
            fetch: async (request) => {
              const response = await fetch(request);
              seen(response.status);
              return response;
            },
          }),
        address,
      );
      console.log(`\n${table(stops)}\n\nmock  ${mock.url}\ndocs  ${docs.url}`);
      if (values.once) return failed ? 1 : 0;
      console.log("\nCtrl-C ends both.");
      await stopped;
      return 0;
    } finally {
      await docs.close();
    }
  } finally {
    await mock.close();
  }
});
