/** OpenTelemetry spans of requests. The SDK of the operator exports them. */
import type { Span } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { StartError } from "../failure.ts";

/** Adds a span for each request to an app, as a child of the span in its headers. Must run before other hooks are added. */
export type AddTelemetry = (app: FastifyInstance) => void;

/** Loads the OpenTelemetry API. @throws StartError if it is not installed. */
export async function loadTelemetry(): Promise<AddTelemetry> {
  const { context, propagation, SpanKind, SpanStatusCode, trace } = await import("@opentelemetry/api").catch(() => {
    throw new StartError("telemetry: the package @opentelemetry/api is not installed beside the server");
  });
  const tracer = trace.getTracer("@chain-query/server");
  const spans = new WeakMap<FastifyRequest, Span>();
  return (app) => {
    app.addHook("onRequest", (request, _, done) => {
      const parent = propagation.extract(context.active(), request.headers);
      const { method } = request;
      const route = request.routeOptions.url;
      const name = route === undefined ? method : `${method} ${route}`;
      const attributes = {
        "http.request.method": method,
        "url.scheme": request.protocol,
        ...(route === undefined ? {} : { "http.route": route }),
      };
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      spans.set(request, span);
      context.with(trace.setSpan(parent, span), done);
    });
    app.addHook("onResponse", (request, reply, done) => {
      const span = spans.get(request);
      span?.setAttribute("http.response.status_code", reply.statusCode);
      if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
      done();
    });
  };
}
