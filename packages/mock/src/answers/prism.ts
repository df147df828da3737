import { fileURLToPath } from "node:url";
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from "@stoplight/prism-http";
import type { Preference } from "./preference.ts";
import { type AnswerSource, withStatus } from "./source.ts";

// Prism needs half a second to read the contract, which never changes.
let loaded: Promise<AnswerSource> | undefined;

/** Answers with examples or generated values by Prism. The contract is read once in a process. */
export function prismSource(): Promise<AnswerSource> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<AnswerSource> {
  const all = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  const byId = new Map(all.map((one) => [one.iid, one]));
  // Prism waits forever for a logger without the levels of its own.
  const prism = createInstance(config({}, ""), { logger: createLogger("mock", { enabled: false }) });
  return {
    async answer({ id, method, path }, preference, seed) {
      const operation = byId.get(id);
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

/** New for each request, because Prism writes into it. Requests are checked before Prism gets them. */
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
