/** What is known of a request while it is answered. */
import type { FastifyRequest } from "fastify";
import { withoutKeys } from "../limits/key.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Milliseconds of a clock that is never set back: when the headers had come. */
    started: number;
    /** The identifier that the caller sent. */
    sentExtra: string | undefined;
    /** Whether it was counted and logged. */
    isCounted: boolean;
  }
}

/** Counts and logs an answer, once: whatever answers calls it when the answer is on its way. */
export type Answered = (request: FastifyRequest, status: number) => void;

/** The path of a request as the log may show it. */
export function pathOf({ url }: FastifyRequest): string {
  const [path = ""] = url.split("?", 1);
  return withoutKeys(path);
}

/** The identifier that an answer carries: the caller's, or `<unix seconds>:<node>:<seconds taken>` (D-05). */
export function extraOf({ sentExtra, started }: FastifyRequest, node: number): string {
  if (sentExtra !== undefined) return sentExtra;
  return `${Math.floor(Date.now() / 1000)}:${node}:${((performance.now() - started) / 1000).toFixed(3)}`;
}
