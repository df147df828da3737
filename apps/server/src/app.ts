/** The Fastify app: limits before all routes, operations and pages, and one form for all failures. */
import { createServer as createHttpServer } from "node:http";
import type { Socket } from "node:net";
import { compatibleMethods } from "@chain-query/openapi/json-rpc";
import { operations } from "@chain-query/openapi/operations";
import type { OperationId } from "@chain-query/types";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { Deadlines } from "./deadline.ts";
import { HttpError } from "./failure.ts";
import type { Context } from "./handlers.ts";
import { clientOf } from "./limits/client-address.ts";
import type { Gate } from "./limits/gate.ts";
import { type Metrics, page, unnamed, unread } from "./observability/metrics.ts";
import type { AddTelemetry } from "./observability/telemetry.ts";
import type { QueryBudgets } from "./query-budget.ts";
import { addCompatibility } from "./routes/compatibility.ts";
import { type ConnectionLimits, Connections } from "./routes/connections.ts";
import { addFailures, createFail, type Fail, parserFailure, type SendNotFound } from "./routes/failures.ts";
import { Heads } from "./routes/heads.ts";
import { addOperations, contractMethods, createAnswer } from "./routes/operations.ts";
import { PipelinedRequests } from "./routes/pipelining.ts";
import { RefusedConnections } from "./routes/refused-connections.ts";
import {
  acceptJsonOnly,
  addOptions,
  bodyLimit,
  bodyTooLarge,
  type CountResponse,
  corsHeaders,
  isTooLarge,
  pageMethods,
  pathOf,
} from "./routes/request.ts";
import { addPages, docsNotFound, type PageSources } from "./routes/site.ts";

/** Options of {@link createApp}. */
export interface AppOptions {
  readonly context: Context;
  readonly gate: Gate;
  /** Of a source that reads lite servers. */
  readonly budgets?: QueryBudgets | undefined;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Addresses and networks whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly connections: ConnectionLimits;
  readonly logRequests: boolean;
  /** Whether responses that no longer change may be stored. */
  readonly cacheHeaders: boolean;
  readonly pages: PageSources;
  readonly addTelemetry: AddTelemetry | undefined;
  /** Seconds for a request. */
  readonly deadline: number;
  readonly timeouts?: Timeouts;
}

/** Timeouts of connections, in milliseconds. */
interface Timeouts {
  /** From the start of a connection to the end of the headers. */
  readonly headers: number;
  /** From the start of a request to the end of its body. */
  readonly request: number;
  /** Between two requests. */
  readonly keepAlive: number;
  /** Without any traffic: a response that its client does not read ends after one or two of these. */
  readonly idle: number;
  /** How often the first two are checked. */
  readonly checkInterval: number;
}

/** Low enough that thousands of idle or slow connections do not add up. */
const defaultTimeouts: Timeouts = {
  headers: 10_000,
  request: 20_000,
  keepAlive: 65_000,
  idle: 15_000,
  checkInterval: 2_000,
};
const maxHeaderBytes = 16 * 1024;
/** Milliseconds after the deadline of a request in which its response is sent. */
const responseTime = 1_000;
/** The part of the deadline in which queries may be delayed: the last one needs time as well. */
const delayShare = 0.9;

/** Creates the app; it does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const { context, log, pages, addTelemetry } = options;
  const refusedConnections = new RefusedConnections();
  const deadlines = new Deadlines(options.deadline * 1000);
  const heads = new Heads(context.source, deadlines, options.metrics.waits);
  const countResponse = countAndLog(options, refusedConnections);
  const fail = createFail({ log, countResponse, refusedConnections, heads });
  const admit = admission(options, deadlines);
  const app = createServer(options, { refusedConnections, admit, fail });
  addTelemetry?.(app);
  trackRequests(app);
  app.addHook("onRequest", (request, reply, done) => {
    admit(request, reply, (refusal) => done(refusal ?? unreadable(request)));
  });
  // Node answers an unknown Expect header with 417, before the limits and without a body; HTTP allows ignoring it.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("preClose", async () => heads.drain());
  acceptJsonOnly(app);
  const answer = createAnswer({ context, countResponse, heads, cacheHeaders: options.cacheHeaders });
  addOperations(app, answer);
  if (!pages.contractOnly) addCompatibility(app, answer, (request, operation) => beginReads(options, request, operation));
  const methods = pages.contractOnly
    ? new Map(operations.map((operation) => [operation.path, contractMethods(operation)]))
    : compatibleMethods;
  for (const [path, allowed] of methods) addOptions(app, path, allowed);
  const pagePaths = addPages(app, pages, countResponse).map((path) => [path, pageMethods] as const);
  const sendNotFound: SendNotFound = (request, reply) => docsNotFound(pages, request, reply, countResponse);
  addFailures(app, fail, new Map([...methods, ...pagePaths]), sendNotFound);
  return app;
}

interface Connecting {
  readonly refusedConnections: RefusedConnections;
  readonly admit: Admit;
  readonly fail: Fail;
}

function createServer(options: AppOptions, { refusedConnections, admit, fail }: Connecting): FastifyInstance {
  const { metrics, trustedProxies, deadline, timeouts = defaultTimeouts } = options;
  const connections = new Connections(options.connections, trustedProxies, metrics.closed);
  const pipelined = new PipelinedRequests();
  return Fastify({
    logger: false,
    bodyLimit,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    forceCloseConnections: "idle",
    // Requests that arrive while the service stops are answered; Fastify's own 503 is not in the contract's envelope.
    return503OnClosing: false,
    serverFactory: (handle) => {
      const http = {
        headersTimeout: timeouts.headers,
        requestTimeout: timeouts.request,
        keepAliveTimeout: timeouts.keepAlive,
        connectionsCheckingInterval: timeouts.checkInterval,
        maxHeaderSize: maxHeaderBytes,
        // Node would answer before the limits and without a body; `hasHost` checks instead.
        requireHostHeader: false,
      };
      // A request that waits for another one does not enter Fastify, which would take twice its memory and time.
      const server = createHttpServer(http, (request, response) => pipelined.enqueue(request, response, handle));
      server.on("connection", (socket) => {
        if (connections.add(socket)) pipelined.add(socket);
      });
      // A client that has ended its side of the connection gets its pending responses.
      Object.assign(server, { httpAllowHalfOpen: true });
      server.closeIdleConnections = () => pipelined.closeIdle();
      return server.setTimeout(Math.max(timeouts.idle, deadline * 1000 + responseTime));
    },
    genReqId: requestIds(),
    clientErrorHandler(error, socket) {
      if (!socket.writable || socket.destroyed) return;
      const refusal = parserFailure(error);
      pipelined.endAfterResponses(socket as Socket, (begun) => {
        // A request that has begun is counted when the end of its connection makes it fail.
        if (begun === undefined) metrics.countResponse(unread, refusal.status, 0);
        refusedConnections.refuse(socket as Socket, () => (begun?.headersSent === true ? undefined : refusal));
      });
    },
    // Fastify reports these errors before any hook runs, so they pass the gate here.
    frameworkErrors: (error, request, reply) => {
      const [framework, frameworkReply] = [request as FastifyRequest, reply as FastifyReply];
      admit(framework, frameworkReply, (refusal) => void fail(refusal ?? error, framework, frameworkReply));
    },
  });
}

/** Lets a request pass the gate. Calls `done` with the refusal if the gate refuses it. */
type Admit = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void) => void;

function admission(options: AppOptions, deadlines: Deadlines): Admit {
  const { gate, pages } = options;
  return (request, reply, done) => {
    request.started = performance.now();
    request.deadline = deadlines.begin(reply.raw);
    reply.headers(corsHeaders);
    const { operation, isCompatible = false } = request.routeOptions.config ?? {};
    request.operation = operation;
    request.isCompatible = isCompatible;
    request.key = keyOf(request, pages.contractOnly);
    if (isCompatible && operation === undefined) request.call = { jsonrpc: "2.0", id: null };
    const begin = (headers?: Readonly<Record<string, string>>): void => {
      if (headers !== undefined) reply.headers(headers);
      if (operation !== undefined) beginReads(options, request, operation);
      done();
    };
    const admitted = gate(request, operation !== undefined || isCompatible);
    if (admitted === undefined) begin();
    else request.deadline.limit(admitted).then(begin, done);
  };
}

/** The key of a request: of its header, or of its URL for clients outside the contract. A preflight cannot have one in a header. */
function keyOf({ headers, query, method }: FastifyRequest, contractOnly: boolean): string | undefined {
  const ofUrl: unknown = contractOnly || method === "OPTIONS" ? undefined : Object(query)["api_key"] || undefined;
  return (headers["x-api-key"] ?? ofUrl)?.toString();
}

/** Gives a request its queries to lite servers. */
function beginReads({ budgets, deadline }: AppOptions, request: FastifyRequest, operation: OperationId): void {
  if (budgets === undefined) return;
  const client = request.key === undefined ? request.client : undefined;
  const until = (): number => request.deadline.until - (1 - delayShare) * deadline * 1000;
  budgets.begin(request.deadline.signal, { operation, client, until });
}

function trackRequests(app: FastifyInstance): void {
  app.decorateRequest("key", undefined);
  app.decorateRequest("client", { getter: clientOfRequest });
  app.decorateRequest("owner", { getter: ownerOf });
  app.decorateRequest("call", undefined);
  app.decorateRequest("started", 0);
  app.decorateRequest("deadline");
  app.decorateRequest("sentExtra", undefined);
  app.decorateRequest("operation", undefined);
  app.decorateRequest("isCompatible", false);
  app.decorateRequest("head", undefined);
  app.decorateRequest("isCounted", false);
}

function clientOfRequest(this: FastifyRequest): string {
  return clientOf(this.ip);
}

function ownerOf(this: FastifyRequest): string {
  return this.key === undefined ? this.client : `key ${this.key}`;
}

function countAndLog(
  { metrics, budgets, log, logRequests }: AppOptions,
  refusedConnections: RefusedConnections,
): CountResponse {
  return (request, answeredWith) => {
    if (request.isCounted) return;
    request.isCounted = true;
    const status = refusedConnections.refusedWith(request.raw.socket) ?? answeredWith;
    const seconds = (performance.now() - request.started) / 1000;
    metrics.countResponse(request.operation ?? (request.call ? unnamed : page), status, seconds);
    budgets?.end(request.deadline.signal);
    if (!logRequests) return;
    const path = pathOf(request);
    log.info({ request: request.id, method: request.method, path, status, ms: seconds * 1000 }, "request completed");
  };
}

/** Why a request is refused by its headers. */
function unreadable(request: FastifyRequest): HttpError | undefined {
  if (!hasHost(request)) return hostMissing;
  return isTooLarge(request) ? bodyTooLarge : undefined;
}

/** HTTP/1.1 requires a Host header (RFC 9112, section 3.2). */
function hasHost({ raw }: FastifyRequest): boolean {
  return raw.headers.host !== undefined || raw.httpVersion === "1.0";
}

const hostMissing = new HttpError(400, "host: missing in the headers");

/** Request ids for the log: the start time of the process, and a count. */
function requestIds(): () => string {
  const started = Date.now().toString(36);
  let count = 0;
  return () => `${started}-${(++count).toString(36)}`;
}
