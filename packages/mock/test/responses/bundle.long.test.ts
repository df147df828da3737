/** The published bundle responds like an installed Prism that reads the contract. */
import { fileURLToPath } from "node:url";
import { operations } from "@chain-query/openapi/operations";
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from "@stoplight/prism-http";
import { expect, test } from "vitest";
import type { Preference, ResponseSource } from "../../src/responses/exchange.ts";

const built = new URL("../../dist/responses/prism.js", import.meta.url);
const { prismSource }: { prismSource: ResponseSource } = await import(built.href);
const prismOperations = await getHttpOperationsFromSpec(
  fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")),
);
const quiet = Object.fromEntries(["debug", "info", "success", "warn", "error"].map((level) => [level, () => undefined]));
const off = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false, isProxy: false } as const;
const logger = { ...quiet, child: () => quiet } as never;
const prism = createInstance({ ...off, mock: { dynamic: false }, upstreamProxy: undefined }, { logger });

async function stockResponse(id: string, { code, example: exampleKey, dynamic = false }: Preference, seed: string) {
  const operation = prismOperations.find(({ iid }) => iid === id);
  if (operation === undefined) throw new Error(`Prism does not find ${id}`);
  const { method, path } = operation;
  const request = { method: method as IHttpRequest["method"], url: { path }, headers: { accept: "application/json" } };
  const mock = { dynamic, seed, ...(code && { code }), ...(exampleKey && { exampleKey }) };
  const result = await prism.request(request, [operation], { ...off, mock, upstreamProxy: undefined })();
  if (result._tag === "Left") throw result.left;
  const { statusCode, body } = result.right.output;
  return { status: statusCode, body };
}

test.for(operations)("$id", async (operation) => {
  const documented = operation.responses.flatMap(({ status, examples }) =>
    status === "default" ? [] : Object.keys(examples).map((example) => ({ code: Number(status), example })),
  );
  const preferences: Preference[] = [{}, ...documented, ...[1, 2, 3].map(() => ({ dynamic: true }))];
  for (const [index, preference] of preferences.entries()) {
    const { status, body } = await prismSource.respond(operation, preference, `seed ${index}`);
    expect({ status, body }).toEqual(await stockResponse(operation.id, preference, `seed ${index}`));
  }
});
