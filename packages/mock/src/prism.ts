import { fileURLToPath } from "node:url";
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from "@stoplight/prism-http";
import { failure, type Question, Refusal, type Responder } from "./exchange.ts";
import { type Preference, preferenceIn } from "./preference.ts";

type Operation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** Loads the contract; the responder checks a question against it and answers with one of its examples. */
export async function contractResponder(): Promise<Responder> {
  const operations = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  // A logger that is not Prism's own lacks its levels, and requests then never end.
  const prism = createInstance(config({}), { logger: createLogger("mock", { enabled: false }) });

  return async (question) => {
    const operation = operationFor(question, operations);
    const preference = preferenceIn(question.headers["prefer"]);
    refuseUnknownExample(preference, operation);
    const result = await prism.request(request(question, operation), [operation], config(preference))();
    if (result._tag === "Left") throw result.left;
    const { output, validations } = result.right;
    const wrong = validations.input.map(({ message }) => message);
    // The contract's 422 names what is wrong; the example that Prism takes would name something else.
    if (wrong.length > 0) return failure(output.statusCode, [...new Set(wrong)].join("; "));
    return { status: output.statusCode, headers: texts(output.headers), body: truthful(output.statusCode, output.body) };
  };
}

function operationFor({ method, path }: Question, operations: Operation[]): Operation {
  const there = operations.filter((operation) => operation.path === path);
  if (there.length === 0) throw new Refusal(404, `the contract has no path ${path}`);
  const asked = there.find((operation) => operation.method.toUpperCase() === method);
  if (asked !== undefined) return asked;
  const allow = there.map((operation) => operation.method.toUpperCase()).join(", ");
  throw new Refusal(405, `${path} takes ${allow}, not ${method}`, { allow });
}

/** Prism alone would answer with another status, or not at all, where the status that is asked for has no such example. */
function refuseUnknownExample({ code = 200, example }: Preference, { iid, responses }: Operation): void {
  if (example === undefined) return;
  const answer = responses.find((response) => response.code === `${code}`) ?? responses.find(({ code }) => code === "default");
  const names = (answer?.contents ?? []).flatMap(({ examples }) => (examples ?? []).map(({ key }) => key));
  if (names.includes(example)) return;
  throw new Refusal(422, `Prefer: example=${example}: the ${code} answers of ${iid} are ${names.join(", ")}`);
}

function request({ path, query, headers, body }: Question, { method }: Operation): IHttpRequest {
  return {
    method: method as IHttpRequest["method"],
    url: { path, query },
    // The API speaks JSON whatever a caller accepts, so that a link opened in a browser works too.
    headers: { ...headers, accept: "application/json" },
    ...(body === undefined ? {} : { body }),
  };
}

/** Made anew for every request, because Prism writes into it. */
function config({ code, example }: Preference): IHttpConfig {
  return {
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
    mock: {
      dynamic: false,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
    },
  };
}

/** One example stands for every status that only `default` describes; the code of a failure still equals its status. */
function truthful(status: number, body: unknown): unknown {
  return typeof body === "object" && body !== null && "ok" in body && body.ok === false ? { ...body, code: status } : body;
}

function texts(headers: Record<string, unknown> = {}): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
