/**
 * A server in a process of its own, so that what it computes and holds can be told from what others do. Tells its URL to its parent, and
 * how it is when its parent asks; ends with its parent.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { parseServeOptions, serve } from "../src/index.ts";

/** What to be: the service with flags, or a server that answers every request with one body of so many bytes, or Prism. */
export type Role =
  | { readonly kind: "service"; readonly flags: readonly string[] }
  | { readonly kind: "bare"; readonly bytes: number }
  | { readonly kind: "prism" };

interface Started {
  readonly url: string;
  close(): Promise<void>;
}

/** What may be asked: microseconds that it has computed, or bytes that it holds after what nobody needs was thrown away. */
export type Question = "cpu" | "heap";

const answers: Readonly<Record<Question, () => number>> = {
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  heap() {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  },
};

const role = JSON.parse(process.argv[2] ?? "{}") as Role;
const { url, close } = await started(role);

process.on("message", (question: Question) => process.send?.(answers[question]()));
process.once("disconnect", () => close().then(() => process.exit()));
process.send?.(url);

async function started(role: Role): Promise<Started> {
  if (role.kind === "bare") return listening(bare(role.bytes));
  if (role.kind === "prism") return prism();
  return serve(parseServeOptions(["--port", "0", "--log-level", "error", ...role.flags], {}));
}

async function listening(listener: RequestListener): Promise<Started> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function bare(bytes: number): RequestListener {
  const body = Buffer.alloc(bytes, "x");
  const headers = { "content-type": "application/json; charset=utf-8", "content-length": bytes };
  return (_, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
}

/** Prism as its own command serves it. */
async function prism(): Promise<Started> {
  const [{ createServer }, { getHttpOperationsFromSpec }, { createLogger }] = await Promise.all([
    import("@stoplight/prism-http-server"),
    import("@stoplight/prism-http"),
    import("@stoplight/prism-core"),
  ]);
  const operations = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  const server = createServer(operations, {
    cors: true,
    components: { logger: createLogger("prism", { enabled: false }) },
    config: {
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      isProxy: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
  });
  return { url: await server.listen(0, "127.0.0.1"), close: () => server.close() };
}
