/** What is no operation of the contract: the status page, health, metrics, the contract itself and its docs. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { contractText } from "../contract/bundle.ts";
import { failureText } from "../failure.ts";
import { statusPage } from "../status/page.ts";
import type { Status } from "../status/status.ts";
import type { Answered } from "./call.ts";
import { addPreflight } from "./cors.ts";
import { json } from "./operations.ts";

/** What the pages tell. */
export interface PageSources {
  /** Why the service should get no requests at the moment; undefined where it should. */
  readonly troubleNow: () => Promise<string | undefined>;
  /** The metrics of all processes, in Prometheus' text form. */
  readonly metricsText: () => Promise<string>;
  readonly status: () => Promise<Status>;
}

interface Content {
  readonly status?: number;
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The methods of a page. */
export const pageMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** Where the build puts a copy of the docs; a package that was made without them serves none. */
const docs = fileURLToPath(new URL("../../dist/docs/", import.meta.url));

/** Adds the pages. Returns their paths. */
export function addPages(app: FastifyInstance, { troubleNow, metricsText, status }: PageSources, answered: Answered): string[] {
  const alive: Content = { type: json, text: '{"ok":true}' };
  const hasDocs = existsSync(docs);
  const { html, headers } = statusPage(hasDocs);
  const pages: Readonly<Record<string, () => Content | Promise<Content>>> = {
    "/": () => ({ type: "text/html; charset=utf-8", text: html, headers }),
    "/status.json": async () => ({ type: json, text: JSON.stringify(await status()) }),
    "/healthz": () => alive,
    "/readyz": async () => {
      const trouble = await troubleNow();
      return trouble === undefined ? alive : { status: 503, type: json, text: failureText(503, trouble) };
    },
    "/metrics": async () => ({ type: "text/plain; version=0.0.4; charset=utf-8", text: await metricsText() }),
    "/openapi.json": () => ({ type: json, text: contractText }),
  };
  app.register(async (scope) => {
    scope.addHook("onResponse", async (request, reply) => answered(request, reply.statusCode));
    for (const [path, content] of Object.entries(pages)) {
      scope.get(path, async (_, reply) => {
        const { status: code = 200, type, text, headers: more } = await content();
        return reply
          .code(code)
          .headers({ "content-type": type, "cache-control": "no-store", ...more })
          .send(text);
      });
      addPreflight(scope, path, pageMethods);
    }
    if (!hasDocs) return;
    // Relative to its host, because nobody knows under what name and path a proxy shows it.
    for (const path of ["/docs", "/docs/*"]) addPreflight(scope, path, pageMethods);
    scope.get("/docs", (_, reply) => reply.code(308).header("location", "docs/").send());
    scope.register(fastifyStatic, { root: docs, prefix: "/docs/", decorateReply: false });
  });
  return [...Object.keys(pages), ...(hasDocs ? ["/docs", "/docs/"] : [])];
}
