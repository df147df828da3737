/** Pages of any origin may call, as the docs' own do: nothing here depends on cookies or on where a request comes from. */
import type { FastifyInstance } from "fastify";

/** Of every answer. */
export const openToAll: Readonly<Record<string, string>> = { "access-control-allow-origin": "*" };

/** Of answers whose headers a page may want to read. */
export const exposed: Readonly<Record<string, string>> = {
  "access-control-expose-headers": "Retry-After, RateLimit, RateLimit-Policy",
};

const remembered = "600";

/** Answers what a browser asks before it lets a page of another origin call, and whoever wants to know the methods of a path. */
export function addPreflight(app: FastifyInstance, path: string, methods: readonly string[]): void {
  const allow = methods.join(", ");
  app.options(path, (request, reply) => {
    const wanted = request.headers["access-control-request-headers"];
    reply.code(204).header("allow", allow);
    if (request.headers["access-control-request-method"] !== undefined) {
      reply.headers({
        "access-control-allow-methods": allow,
        "access-control-allow-headers": wanted ?? "*",
        "access-control-max-age": remembered,
      });
    }
    return reply.send();
  });
}
