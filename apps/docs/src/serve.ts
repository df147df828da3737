/** Serves the site on this machine. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { servicePath } from "./site/options.ts";

export interface ServeOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  host?: string;
  /** The folder to serve; default: the built site. */
  root?: string;
  /** Configures the service that the playground selects, by its base URL, such as a mock on this machine. */
  service?: string;
}

export interface ServedDocs extends AsyncDisposable {
  /** Address of the site, without a trailing slash. */
  url: string;
  close: () => Promise<void>;
}

const defaultRoot = fileURLToPath(new URL("../dist/", import.meta.url));
const plainTextHeaders = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
/** Content types that differ from the defaults of sirv. */
const contentTypes: Readonly<Record<string, string>> = {
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".yaml": "application/yaml",
};

/**
 * Serves the built site until it is closed. Sends `NAME.br` or `NAME.gz` instead of a file NAME to clients that accept Brotli or gzip.
 * Rejects with the system's error if the port is in use.
 *
 * @example
 * const docs = await serveDocs({ port: 4011 });
 * console.log(docs.url); // http://127.0.0.1:4011
 * await docs.close();
 */
export async function serveDocs({
  port = 0,
  host = "127.0.0.1",
  root = defaultRoot,
  service,
}: ServeOptions = {}): Promise<ServedDocs> {
  if (!existsSync(join(root, "index.html"))) throw new Error(`${root} has no index.html; build the site first: pnpm build`);
  const server = createServer(handler(root, service));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function handler(root: string, service: string | undefined): (request: IncomingMessage, response: ServerResponse) => void {
  // In sirv's development mode each request reads the disk, so that a rebuilt site shows at the next reload.
  const serveFile = sirv(root, { dev: true, etag: true, brotli: true, gzip: true, setHeaders });
  const notFoundFile = join(root, "404.html");
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { ...plainTextHeaders, allow: "GET, HEAD" }).end("The site is read-only: use GET or HEAD.\n");
      return;
    }
    const address = `http://site.invalid${request.url}`;
    const { pathname, search } = URL.canParse(address) ? new URL(address) : { pathname: "/", search: "" };
    if (service !== undefined && pathname === `/${servicePath}`) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ baseUrl: service }));
    } else if (!pathname.endsWith("/") && existsSync(join(root, pathname, "index.html"))) {
      // Relative, so that it works below any path that the site is mounted at.
      response.writeHead(301, { ...plainTextHeaders, location: `./${pathname.split("/").at(-1)}/${search}` }).end();
    } else {
      serveFile(request, response, () => {
        const isBuilt = existsSync(notFoundFile);
        const [type, body] = isBuilt ? ["html", readFileSync(notFoundFile)] : ["plain", "There is no such page.\n"];
        response.writeHead(404, { ...plainTextHeaders, "content-type": `text/${type}; charset=utf-8` }).end(body);
      });
    }
  };
}

function setHeaders(response: ServerResponse, pathname: string): void {
  const name = pathname.endsWith("/") ? "index.html" : pathname;
  const type = contentTypes[extname(name)];
  if (type !== undefined) response.setHeader("Content-Type", type);
  if (/\.[0-9a-f]{16}\.\w+$/.test(name)) response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "strict-origin-when-cross-origin");
  // Pages hold the rest of their policy in a meta element, where this directive has no effect.
  response.setHeader("content-security-policy", "frame-ancestors 'self'");
}
