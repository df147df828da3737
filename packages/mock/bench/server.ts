/** One of the two servers that the bench compares, in a process of its own: `mock`, or Prism behind the barest server. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startMock } from "@chain-query/mock";
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from "@stoplight/prism-http";

const url = process.argv[2] === "mock" ? (await startMock()).url : await prismAlone();

// Time spent computing does not depend on what else runs on the machine, as the clock on the wall does.
process.on("message", () => process.send?.(process.cpuUsage()));
process.on("disconnect", () => process.exit());
process.send?.(url);

async function prismAlone(): Promise<string> {
  const operations = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  const prism = createInstance(config(), { logger: createLogger("prism", { enabled: false }) });
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://prism");
    const body = await text(request);
    const question = {
      method: (request.method ?? "GET").toLowerCase() as IHttpRequest["method"],
      url: { path: pathname, query: Object.fromEntries(searchParams) },
      headers: request.headers as Record<string, string>,
      ...(body === "" ? {} : { body: JSON.parse(body) as unknown }),
    };
    const result = await prism.request(question, operations, config())();
    const { statusCode, body: answer } = result._tag === "Right" ? result.right.output : { statusCode: 500, body: {} };
    response.writeHead(statusCode, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function config(): IHttpConfig {
  return {
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
  };
}
