/** Responses of Prism, from an example or generated from the schema. The build replaces the compiled file with a bundle of Prism. */
import type { IHttpOperationConfig, IHttpRequest } from "@stoplight/prism-http";
import prism from "@stoplight/prism-http/dist/mocker/index.js";
import { exampleHeaders, type Preference, type ResponseSource, withStatus } from "./exchange.ts";
import { prismOperations } from "./prism-operations.ts";

// Node.js imports the CommonJS module, vitest its default export.
const mock = prism.default ?? prism;

type Logger = Parameters<ReturnType<typeof mock>>[0];

const ignore = (): void => undefined;
const logger = { debug: ignore, info: ignore, success: ignore, warn: ignore, error: ignore } as unknown as Logger;

/** The responses of Prism. The mock has already validated the request. */
export const prismSource: ResponseSource = {
  async respond(operation, preference, seed) {
    const { id, method, path } = operation;
    const resource = prismOperations[id];
    if (resource === undefined) throw new Error(`Prism does not find ${id} in the contract`);
    const verb = method.toLowerCase() as IHttpRequest["method"];
    const data = { method: verb, url: { path }, headers: { accept: "application/json" } };
    // Its types require the whole configuration of Prism; this part reads `mock` only.
    const config = configuration(preference, seed) as unknown as Parameters<typeof mock>[0]["config"];
    const result = mock({ resource, input: { data, validations: [] }, config })(logger);
    if (result._tag === "Left") throw result.left;
    const { statusCode: status, body } = result.right;
    return {
      status,
      headers: exampleHeaders(operation, status),
      body: withStatus(body, status),
      constant: !preference.dynamic,
    };
  },
};

/** A new object per request, because Prism modifies it. */
function configuration({ code, example, dynamic = false }: Preference, seed: string): IHttpOperationConfig {
  return {
    // A generated failure would have a code and headers that contradict its status.
    dynamic: dynamic && (code ?? 200) < 300,
    seed,
    ...(code === undefined ? {} : { code }),
    ...(example === undefined ? {} : { exampleKey: example }),
  };
}
