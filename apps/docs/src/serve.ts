/** A small static server, for reading the site on this machine. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { servicePath } from "./service-path.ts";
import { type SiteFile, siteFile, siteFiles } from "./site-files.ts";

export interface ServeOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  host?: string;
  /** The folder to serve: the built site, unless another is named. */
  root?: string;
  /** Base URL of a service that the playground suggests, such as a mock on this machine. */
  service?: string;
}

export interface ServedDocs {
  /** Where the site is, without a trailing slash. */
  url: string;
  close: () => Promise<void>;
}

const built = fileURLToPath(new URL("../dist/", import.meta.url));
const plain = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

/**
 * Serves the built site until it is closed. A port that is taken rejects with the system's error.
 *
 * @example
 * const docs = await serveDocs({ port: 4011 });
 * console.log(docs.url); // http://127.0.0.1:4011
 * await docs.close();
 */
export async function serveDocs({
  port = 0,
  host = "127.0.0.1",
  root = built,
  service,
}: ServeOptions = {}): Promise<ServedDocs> {
  const filesOfSite = siteFiles(root);
  const suggested = service === undefined ? undefined : await siteFile(".json", JSON.stringify({ baseUrl: service }));
  const fileAt: typeof filesOfSite = async (path) => (path === `/${servicePath}` && suggested ? suggested : filesOfSite(path));
  if ((await fileAt("/")) === undefined) throw new Error(`${root} holds no index.html; build the site first: pnpm build`);

  const server = createServer((request, response) => {
    answer(request, response, fileAt).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });

  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fileAt: (path: string) => Promise<SiteFile | undefined>,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { ...plain, allow: "GET, HEAD" }).end("The site is for reading: GET or HEAD.\n");
    return;
  }
  const [path = "/", query] = (request.url ?? "/").split(/(?=\?)/);
  const file = await fileAt(path);
  if (file === undefined) {
    if (await fileAt(`${path}/`)) {
      // Relative, so that it holds below whatever path the site is mounted.
      const folder = `./${path.split("/").at(-1)}/${query ?? ""}`;
      response.writeHead(301, { ...plain, location: folder }).end();
      return;
    }
    answerMissing(request, response, await fileAt("/404.html"));
    return;
  }
  const headers = {
    etag: file.etag,
    "cache-control": file.hashed ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
  };
  if (matches(request.headers["if-none-match"], file.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const gzipped = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const body = gzipped ? file.gzipped : file.body;
  response.writeHead(200, {
    ...headers,
    ...(gzipped && { "content-encoding": "gzip" }),
    ...contentHeaders(file, body),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function answerMissing(request: IncomingMessage, response: ServerResponse, page: SiteFile | undefined): void {
  if (page === undefined) {
    response.writeHead(404, plain).end("There is no such page.\n");
    return;
  }
  response.writeHead(404, { "cache-control": "no-store", ...contentHeaders(page, page.body) });
  response.end(request.method === "HEAD" ? undefined : page.body);
}

/** The policy of a page holds in it as well, but only a header can say who may frame it. */
function contentHeaders({ type, policy }: SiteFile, body: Buffer): Record<string, string | number> {
  return {
    "content-type": type,
    "content-length": body.length,
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    ...(policy !== undefined && { "content-security-policy": `${policy}; frame-ancestors 'self'` }),
  };
}

function matches(condition: string | undefined, etag: string): boolean {
  return condition?.split(",").some((candidate) => candidate.trim() === etag || candidate.trim() === "*") ?? false;
}
