/** Parses request bodies: JSON in UTF-8, of limited size. */
import { isUtf8 } from "node:buffer";
import { parseBody } from "@chain-query/openapi/requests";
import type { OperationId } from "@chain-query/types";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpError } from "../failure.ts";

/** The largest accepted body, in bytes. Valid bodies have a few hundred. */
export const bodyLimit: number = 64 * 1024;

/** The error of a larger body. */
export const bodyTooLarge: HttpError = new HttpError(413, `body: too large, at most ${bodyLimit} bytes are accepted`);

/** Whether the declared length of a request's body is too large. */
export function isTooLarge({ headers }: FastifyRequest): boolean {
  return Number(headers["content-length"]) > bodyLimit;
}

/** Accepts application/json and no other content type. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit }, (request, bytes: Buffer, done) => {
    try {
      done(null, parse(bytes, request.routeOptions.config.operation));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });
}

function parse(bytes: Buffer, operation: OperationId | undefined): unknown {
  if (!isUtf8(bytes)) throw new HttpError(422, "body: not UTF-8, expected JSON in UTF-8");
  const parsed = parseBody(bytes.toString("utf8"), operation);
  if (parsed.ok) return parsed.body;
  throw new HttpError(422, parsed.problem);
}
