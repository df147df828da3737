/** The service as a Fastify app: limits first, then routes, and one form for everything that fails. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { Refusal } from "./failure.ts";
import type { Context } from "./handlers/context.ts";
import { handlers } from "./handlers/handlers.ts";
import { clientOf } from "./limits/client-address.ts";
import type { Gate } from "./limits/gate.ts";
import { type Metrics, page, unread } from "./operating/metrics.ts";
import type { AddTelemetry } from "./operating/telemetry.ts";
import { acceptJsonOnly, bodyLimit } from "./routes/body.ts";
import { type Answered, pathOf } from "./routes/call.ts";
import { openToAll } from "./routes/cors.ts";
import { addFailures, earlyFailure, failing } from "./routes/failures.ts";
import { addOperations } from "./routes/operations.ts";
import { addPages, type PageSources } from "./routes/pages.ts";

/** What an app is made of. */
export interface AppParts {
  readonly context: Context;
  readonly gate: Gate;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** The number of this process among those of the deployment. */
  readonly node: number;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  readonly pages: PageSources;
  readonly addTelemetry: AddTelemetry | undefined;
}

/** Milliseconds and bytes that a connection may take, so that ten thousand idle ones and a thousand slow ones hold nobody up. */
const patience = {
  headers: 10_000,
  request: 20_000,
  keepAlive: 65_000,
  silence: 60_000,
  check: 2_000,
  headerBytes: 16 * 1024,
  refused: 1_000,
};

/** Makes the app; it does not listen yet. */
export function createApp(parts: AppParts): FastifyInstance {
  const { context, gate, metrics, log, node, trustedProxies, logRequests, pages } = parts;
  const answered: Answered = (request, status) => {
    if (request.isCounted) return;
    request.isCounted = true;
    const seconds = (performance.now() - request.started) / 1000;
    metrics.answered(request.routeOptions.config?.operation ?? page, status, seconds);
    if (!logRequests) return;
    const path = pathOf(request);
    log.info({ request: request.id, method: request.method, path, status, ms: seconds * 1000 }, "answered");
  };
  const fail = failing(log, node, answered);
  const app = Fastify({
    logger: false,
    bodyLimit,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    requestTimeout: patience.request,
    keepAliveTimeout: patience.keepAlive,
    connectionTimeout: patience.silence,
    forceCloseConnections: "idle",
    http: {
      headersTimeout: patience.headers,
      connectionsCheckingInterval: patience.check,
      maxHeaderSize: patience.headerBytes,
      // Node would refuse it without a word, and before the limits.
      requireHostHeader: false,
    },
    genReqId: requestNames(node),
    clientErrorHandler(error, socket) {
      if (!socket.writable || socket.destroyed) return;
      const { status, bytes } = earlyFailure(error.code, Buffer.isBuffer(error.rawPacket) ? error.rawPacket : undefined);
      metrics.answered(unread, status, 0);
      socket.end(bytes);
      // Whoever is still sending is given a moment to read the answer.
      setTimeout(() => socket.destroy(), patience.refused).unref();
    },
    // These come before all hooks, and are limited like anything else.
    frameworkErrors: (error, request, reply) => {
      request.started = performance.now();
      const answer = (reason: unknown): void => void fail(reason, request as FastifyRequest, reply as FastifyReply);
      admit(request as FastifyRequest, reply as FastifyReply, (refusal) => answer(refusal ?? error));
    },
  });

  const admit = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
    reply.headers(openToAll);
    const key = request.headers["x-api-key"];
    const admitted = gate({
      key: typeof key === "string" ? key : key?.join(),
      client: () => clientOf(request.ip),
      isOperation: request.routeOptions.config?.operation !== undefined,
    });
    if (admitted === undefined) done();
    else
      admitted.then((headers) => {
        if (headers !== undefined) reply.headers(headers);
        done();
      }, done);
  };

  parts.addTelemetry?.(app);
  app.decorateRequest("started", 0);
  app.decorateRequest("sentExtra", undefined);
  app.decorateRequest("isCounted", false);
  app.addHook("onRequest", (request, reply, done) => {
    request.started = performance.now();
    admit(request, reply, (refusal) => done(refusal ?? (isAddressed(request) ? undefined : notAddressed)));
  });
  // An expectation that nobody knows is no reason to refuse; Node would, without a word and before the limits.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  acceptJsonOnly(app);
  addOperations(app, { handlers, context, node, answered });
  addFailures(app, fail, addPages(app, pages, answered));
  return app;
}

/** HTTP wants to be told the host since its version 1.1. */
function isAddressed({ raw }: FastifyRequest): boolean {
  return raw.headers.host !== undefined || raw.httpVersion === "1.0";
}

const notAddressed = new Refusal(400, "host: missing in the headers");

/** Names by which a request is found in the log: the process, when it began, and a count. */
function requestNames(node: number): () => string {
  const begun = Date.now().toString(36);
  let count = 0;
  return () => `${node}-${begun}-${(++count).toString(36)}`;
}
