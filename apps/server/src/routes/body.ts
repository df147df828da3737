/** Bodies: JSON in UTF-8, of a bounded size. */
import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../failure.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operationId, or what the route is in one word. */
    operation?: string;
    /** Members of which no digit may be lost. */
    exactNumbers?: ReadonlySet<string>;
  }
}

/** Bytes that a body may have; the largest that the contract allows has some hundreds. */
export const bodyLimit: number = 64 * 1024;

/** As many digits as a JSON number may have before it may lose one. */
const manyDigits = /\d{16}/;

/** Takes JSON and nothing else. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit }, (request, bytes: Buffer, done) => {
    try {
      done(null, parsed(bytes, request.routeOptions.config.exactNumbers));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });
}

/** The value of a body; undefined where there is none. Members that may be texts keep all digits of their numbers so. */
function parsed(bytes: Buffer, exactNumbers: ReadonlySet<string> | undefined): unknown {
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
