/** A small static server, for reading the site on this machine. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { type SiteFile, siteFiles } from "./site-files.ts";

export interface ServeOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  host?: string;
  /** The folder to serve: the built site, unless another is named. */
  root?: string;
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
export async function serveDocs({ port = 0, host = "127.0.0.1", root = built }: ServeOptions = {}): Promise<ServedDocs> {
  const fileAt = siteFiles(root);
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
  const file = await fileAt((request.url ?? "/").split("?", 1)[0] ?? "/");
  if (file === undefined) {
    response.writeHead(404, plain).end("There is no such page.\n");
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
    "content-type": file.type,
    "content-length": body.length,
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function matches(condition: string | undefined, etag: string): boolean {
  return condition?.split(",").some((candidate) => candidate.trim() === etag || candidate.trim() === "*") ?? false;
}
