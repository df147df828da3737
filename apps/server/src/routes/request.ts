/** The parts of requests and responses that all routes have: the state of a request, its body, headers, and CORS (D-38). */
import { isUtf8 } from "node:buffer";
import { shortText } from "@chain-query/format/error";
import type { CallEnvelope } from "@chain-query/openapi/json-rpc";
import { parseBody } from "@chain-query/openapi/requests";
import type { OperationId } from "@chain-query/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deadline } from "../deadline.ts";
import { HttpError, withoutKeys } from "../failure.ts";
import type { RequestHead } from "../request-head.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** `performance.now()` when the headers had arrived. */
    started: number;
    /** Ends the request. */
    deadline: Deadline;
    /** The API key; several that were sent are joined, so that they are unknown. */
    key: string | undefined;
    /** What limits count without a key: the address, or its network. */
    readonly client: string;
    /** Whose turns and shares it takes: the key, or the address without one. */
    readonly owner: string;
    /** The identifier that the caller sent as `@extra`. */
    sentExtra: string | undefined;
    /** The operation of the route or of the call; undefined for pages. */
    operation: OperationId | undefined;
    /** Whether the route is one for other clients, outside the contract. */
    isCompatible: boolean;
    /** Members of a call of JSON-RPC that its response returns. */
    call: CallEnvelope | undefined;
    /** Of an operation that has begun. */
    head: RequestHead | undefined;
    /** Whether the response has been counted and logged. */
    isCounted: boolean;
  }
  interface FastifyContextConfig {
    /** The operationId of the route; absent for pages, and for calls, which name it in their body. */
    operation?: OperationId;
    /** Whether the route is one for other clients, outside the contract. */
    isCompatible?: boolean;
  }
}

/** Counts and logs the response to a request. Only the first call for a request counts. */
export type CountResponse = (request: FastifyRequest, status: number) => void;

/** The content type of every JSON response. */
export const json = "application/json; charset=utf-8";

/** Headers of the responses of operations and of failures. They depend on the head or on the request, so no cache may keep them. */
export const responseHeaders: Readonly<Record<string, string>> = { "content-type": json, "cache-control": "no-store" };

/** A header of every response: pages of any origin may call, since nothing here depends on cookies or on the origin. */
export const corsHeaders: Readonly<Record<string, string>> = { "access-control-allow-origin": "*" };

/** The methods of a page. */
export const pageMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** The path of a request, safe to log. */
export function pathOf({ url }: FastifyRequest): string {
  const [path = ""] = url.split("?", 1);
  // A key may be percent-encoded, also partly.
  const decoded = path.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return shortText(withoutKeys(decoded));
}

/** The identifier of a response: the caller's, or `<unix seconds>:<node>:<seconds taken>` (D-05), with 0 as the node. */
export function extraOf({ sentExtra, started }: FastifyRequest): string {
  if (sentExtra !== undefined) return sentExtra;
  return `${Math.floor(Date.now() / 1000)}:0:${((performance.now() - started) / 1000).toFixed(3)}`;
}

/** Adds a preference that was taken to Preference-Applied (RFC 7240, section 3). */
export function addApplied(reply: FastifyReply, preference: string): void {
  const others = reply.getHeader("preference-applied");
  reply.header("preference-applied", others === undefined ? preference : `${others}, ${preference}`);
}

const preflightSeconds = "600";

/** Registers OPTIONS for a path: the CORS preflight, and the list of methods. */
export function addOptions(app: FastifyInstance, path: string, methods: readonly string[]): void {
  const allow = methods.join(", ");
  app.options(path, (request, reply) => {
    const requested = request.headers["access-control-request-headers"];
    reply.code(204).header("allow", allow);
    if (request.headers["access-control-request-method"] !== undefined) {
      reply.headers({
        "access-control-allow-methods": allow,
        "access-control-allow-headers": requested ?? "*",
        "access-control-max-age": preflightSeconds,
      });
    }
    return reply.send();
  });
}

/** The largest accepted body, in bytes. Valid bodies have a few hundred. */
export const bodyLimit: number = 64 * 1024;

/** The error of a larger body. */
export const bodyTooLarge: HttpError = new HttpError(413, `body: too large, at most ${bodyLimit} bytes are accepted`);

const encoded = new HttpError(415, "content-encoding: expected identity or none", {
  headers: { "accept-encoding": "identity" },
});

/** Whether the declared length of a request's body is too large. */
export function isTooLarge({ headers }: FastifyRequest): boolean {
  return Number(headers["content-length"]) > bodyLimit;
}

/** Accepts application/json and no other content type. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit }, (request, bytes: Buffer, done) => {
    try {
      const { operation, isCompatible } = request;
      // Without an operation the path or the method is what is wrong.
      const isRead = operation !== undefined || isCompatible;
      done(null, isRead && parse(bytes, isCompatible ? undefined : operation, request.headers["content-encoding"]));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });
}

function parse(bytes: Buffer, operation: OperationId | undefined, encoding = ""): unknown {
  if (!/^(identity)?$/i.test(encoding)) throw encoded;
  if (!isUtf8(bytes)) throw new HttpError(422, "body: not UTF-8, expected JSON in UTF-8");
  const parsed = parseBody(bytes.toString("utf8"), operation);
  if (parsed.ok) return parsed.body;
  throw new HttpError(422, parsed.problem);
}
