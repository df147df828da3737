/** Parses request bodies: JSON in UTF-8, of limited size. */
import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../failure.ts";

/** The largest accepted body, in bytes. Valid bodies have a few hundred. */
export const bodyLimit: number = 64 * 1024;

/** The refusal of a larger one. */
export const bodyTooLarge: Refusal = new Refusal(413, `body: too large, at most ${bodyLimit} bytes are accepted`);

/** Whether the declared length of a request's body is too large. */
export function isTooLarge({ headers }: FastifyRequest): boolean {
  return Number(headers["content-length"]) > bodyLimit;
}

/** JSON numbers of 16 digits and more may lose digits as a double. */
const manyDigits = /\d{16}/;

/** Accepts application/json and no other content type. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit }, (request, bytes: Buffer, done) => {
    try {
      done(null, parseBody(bytes, request.routeOptions.config.exactNumbers));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });
}

/** Undefined for an empty body. Unsafe integers of the `exactNumbers` members become text. */
function parseBody(bytes: Buffer, exactNumbers: ReadonlySet<string> | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Refusal(422, "body: not UTF-8, expected JSON in UTF-8");
  const text = bytes.toString("utf8");
  const exact = (name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" &&
    !Number.isSafeInteger(value) &&
    exactNumbers?.has(name) &&
    /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value;
  try {
    return exactNumbers !== undefined && exactNumbers.size > 0 && manyDigits.test(text)
      ? JSON.parse(text, exact)
      : JSON.parse(text);
  } catch {
    throw new Refusal(422, "body: not JSON, expected one JSON object");
  }
}
