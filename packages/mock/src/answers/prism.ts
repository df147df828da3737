/** Answers by Prism, from an example or generated from the schema. */
import { fileURLToPath } from "node:url";
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from "@stoplight/prism-http";
import type { Preference } from "./preference.ts";
import { type AnswerSource, withStatus } from "./source.ts";

// Prism takes half a second to read the contract, which never changes.
let loaded: Promise<AnswerSource> | undefined;

/** The answers of Prism. Reads the contract once per process. */
export function prismSource(): Promise<AnswerSource> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<AnswerSource> {
  const prismOperations = await getHttpOperationsFromSpec(
    fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")),
  );
  const operationOfId = new Map(prismOperations.map((operation) => [operation.iid, operation]));
  // Prism needs its custom log level `success`; with another logger its requests never resolve.
  const prism = createInstance(config({}, ""), { logger: createLogger("mock", { enabled: false }) });
  return {
    async answer({ id, method, path }, preference, seed) {
      const operation = operationOfId.get(id);
      if (operation === undefined) throw new Error(`Prism does not find ${id} in the contract`);
      const verb = method.toLowerCase() as IHttpRequest["method"];
      const request = { method: verb, url: { path }, headers: { accept: "application/json" } };
      const result = await prism.request(request, [operation], config(preference, seed))();
      if (result._tag === "Left") throw result.left;
      const { statusCode: status, headers, body } = result.right.output;
      return { status, headers: textHeaders(headers), body: withStatus(body, status), constant: !preference.dynamic };
    },
  };
}

/** A new object per request, because Prism modifies it. The mock has already validated the request. */
function config({ code, example, dynamic = false }: Preference, seed: string): IHttpConfig {
  return {
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
    mock: {
      // A generated failure would have a code and headers that contradict its status.
      dynamic: dynamic && (code ?? 200) < 300,
      seed,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
    },
  };
}

function textHeaders(headers: Record<string, unknown> = {}): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
