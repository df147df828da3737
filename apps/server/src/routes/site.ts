/** Registers the routes outside the contract: the status page, health checks, metrics, the contract itself and the docs. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contractPath } from "@chain-query/openapi/json-rpc";
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import fastifyStatic from "@fastify/static";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { Deadlines } from "../deadline.ts";
import { errorForCaller, failureText, HttpError } from "../failure.ts";
import type { Status } from "../status/status.ts";
import { addOptions, type CountResponse, json, pageMethods, pathOf } from "./request.ts";

/** Where the pages get their content. */
export interface PageSources {
  /** Why the service should receive no requests right now; undefined if it is ready. */
  readonly notReady: (signal: AbortSignal) => Promise<string | undefined>;
  /** A problem of a service that is ready, since a 503 would remove it from its load balancer; undefined if there is no problem. */
  readonly warning: () => string | undefined;
  /** The metrics of all processes, in Prometheus' text format. */
  readonly metricsText: () => Promise<string>;
  readonly status: () => Promise<Status>;
  /** The folder of the docs site; undefined if it is absent. */
  readonly docs: string | undefined;
  /** Whether status and metrics are at an address of their own. */
  readonly isAdminApart: boolean;
  /** Whether to serve nothing for other clients under /api/v2/. */
  readonly contractOnly: boolean;
}

interface Content {
  readonly status?: number;
  readonly type: string;
  readonly text: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bytes, which connections whose clients do not read share. */
const contractText = Buffer.from(JSON.stringify(bundle));

type Page = (signal: AbortSignal) => Content | Promise<Content>;
type Pages = Readonly<Record<string, Page>>;

/** Registers the pages. Returns their paths. */
export function addPages(app: FastifyInstance, sources: PageSources, countResponse: CountResponse): string[] {
  const pages: Pages = {
    ...healthPages(sources),
    ...(sources.isAdminApart ? {} : adminPages(sources)),
    ...(sources.contractOnly ? {} : { [contractPath]: contractPage }),
  };
  app.register(async (scope) => {
    scope.addHook("onResponse", async (request, reply) => countResponse(request, reply.statusCode));
    for (const [path, content] of Object.entries(pages)) {
      scope.get(path, async ({ deadline }, reply) => {
        return send(reply, await deadline.limit(Promise.resolve(content(deadline.signal))));
      });
      addOptions(scope, path, pageMethods);
    }
    if (sources.docs !== undefined) addDocs(scope, sources.docs);
  });
  return [...Object.keys(pages), ...(sources.docs === undefined ? [] : ["/docs", "/docs/"])];
}

/** An app with the pages for operators alone, without limits: for an address that only they can reach. */
export function createAdminApp(sources: PageSources, deadline: number): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  const pages = { ...healthPages(sources), ...adminPages({ ...sources, docs: undefined }) };
  const deadlines = new Deadlines(deadline * 1000);
  for (const [path, content] of Object.entries(pages)) {
    app.get(path, async (_, reply) => {
      const own = deadlines.begin(reply.raw);
      return send(reply, await own.limit(Promise.resolve(content(own.signal))));
    });
  }
  app.setErrorHandler((error, _, reply) => {
    const failure = errorForCaller(error) ?? new HttpError(500, "internal error");
    return reply.code(failure.status).type(json).send(failureText(failure));
  });
  app.setNotFoundHandler((_, reply) => {
    const text = failureText(new HttpError(404, `expected one of ${Object.keys(pages).join(", ")}`));
    return reply.code(404).type(json).send(text);
  });
  return app;
}

function send(reply: FastifyReply, { status = 200, type, text, headers }: Content): FastifyReply {
  return reply
    .code(status)
    .headers({ "content-type": type, "cache-control": "no-store", ...headers })
    .send(text);
}

function adminPages({ metricsText, status, docs }: PageSources): Pages {
  const { html, headers } = statusPage(docs !== undefined);
  return {
    "/": () => ({ type: "text/html; charset=utf-8", text: html, headers }),
    "/status.json": async () => ({ type: json, text: JSON.stringify(await status()) }),
    "/metrics": async () => ({ type: "text/plain; version=0.0.4; charset=utf-8", text: await metricsText() }),
  };
}

function healthPages({ notReady, warning }: PageSources): Pages {
  const ok: Content = { type: json, text: '{"ok":true}' };
  return {
    "/healthz": () => ok,
    "/readyz": async (signal) => {
      const reason = await notReady(signal);
      if (reason !== undefined) return { status: 503, type: json, text: failureText(new HttpError(503, reason)) };
      // JSON leaves out what is undefined.
      return { type: json, text: JSON.stringify({ ok: true, warning: warning() }) };
    },
    "/openapi.json": contractPage,
  };
}

function contractPage(): Content {
  return { type: json, text: contractText };
}

function addDocs(app: FastifyInstance, root: string): void {
  for (const path of ["/docs", "/docs/*"]) addOptions(app, path, pageMethods);
  // A relative redirect, since a proxy may serve this under another host and path.
  app.get("/docs", (_, reply) => reply.code(308).header("location", "docs/").send());
  // The site's playground and samples use the service at this address. Relative, since a proxy may serve it elsewhere.
  app.get("/docs/playground/service.json", (_, reply) =>
    reply.headers({ "content-type": json, "cache-control": "no-store" }).send('{"baseUrl":"../.."}'),
  );
  app.register(fastifyStatic, { root, prefix: "/docs/", decorateReply: false, setHeaders: setDocsHeaders });
}

/** The pages carry their content policy in a meta element, which cannot say who may frame them. The reference frames the playground. */
function setDocsHeaders(reply: Pick<FastifyReply, "headers">): void {
  reply.headers({ "content-security-policy": "frame-ancestors 'self'", "x-content-type-options": "nosniff" });
}

/** Answers unknown addresses below /docs/ with the site's own page. Returns undefined for other requests. */
export function docsNotFound(
  { docs }: PageSources,
  request: FastifyRequest,
  reply: FastifyReply,
  countResponse: CountResponse,
): FastifyReply | undefined {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (docs === undefined || !isRead || !pathOf(request).startsWith("/docs/")) return undefined;
  setDocsHeaders(reply);
  countResponse(request, 404);
  const page = readFileSync(join(docs, "404.html"), "utf8").replace(/<base href="[^"]*"/, `<base href="${docsBase(request)}"`);
  return reply.code(404).headers({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).send(page);
}

/** The relative way from an address to /docs/, since a proxy may serve this under another path. */
function docsBase({ url }: FastifyRequest): string {
  const [path = ""] = url.split("?", 1);
  return "../".repeat(Math.max(0, path.split("/").length - 3)) || "./";
}

const assets = new URL("../../assets/status/", import.meta.url);

/**
 * Assembles the status page: one HTML document with inlined style and script, and a CSP that allows nothing else. It polls, which works with
 * any number of callers and behind any proxy, and keeps no connection open during a deployment.
 *
 * @param hasDocs - Whether to link to /docs/.
 */
function statusPage(hasDocs: boolean) {
  const [style, script] = [asset("page.css"), asset("page.js")];
  const parts: Readonly<Record<string, string>> = {
    '<link rel="stylesheet" href="page.css" />': `<style>${style}</style>`,
    '<script src="page.js"></script>': `<script>${script}</script>`,
    "<!-- docs -->": hasDocs ? '<li><a href="docs/">Docs</a></li>' : "",
  };
  const html = Object.entries(parts).reduce((page, [marker, part]) => page.replace(marker, () => part), asset("page.html"));
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    html,
    headers: {
      "content-security-policy": policy.join("; "),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  };
}

function asset(name: string): string {
  return readFileSync(new URL(name, assets), "utf8");
}

function sourceOf(text: string): string {
  return `'sha256-${hash("sha256", text, "base64")}'`;
}
