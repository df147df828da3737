import { fileURLToPath } from "node:url";
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from "@stoplight/prism-http";
import { type Answer, type Question, Refusal } from "./exchange.ts";
import type { Preference } from "./preference.ts";

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** One operation of the contract. */
export interface Operation {
  operationId: string;
  /** Names of the examples of its answers. */
  examples: readonly string[];
  /** The status of the answer that has an example of this name. */
  statusOf(example: string): number | undefined;
  /** Checks a question against the contract and makes the preferred answer; what is wrong with the question, where it is wrong. */
  ask(question: Question, preference: Preference, seed: string): Promise<{ answer: Answer; complaints: string[] }>;
}

/** The contract as Prism reads it. */
export interface Contract {
  operationIds: readonly string[];
  operation(operationId: string): Operation | undefined;
  /** The operation that a question is put to, or a refusal where there is none. */
  operationFor(question: Question): Operation;
  /** The methods of a path, or none where the contract does not have it. */
  methodsOf(path: string): string[];
}

// Reading the contract takes most of the time that a mock takes to start, and it never changes.
let loaded: Promise<Contract> | undefined;

/** Loads the contract, once in a process. */
export function loadContract(): Promise<Contract> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Contract> {
  const all = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  for (const { request, ...one } of all) unbind([request, "__bundled__" in one ? one.__bundled__ : undefined]);
  // A logger that is not Prism's own lacks its levels, and requests then never end.
  const prism = createInstance(config({}, ""), { logger: createLogger("mock", { enabled: false }) });
  const operations = new Map(all.map((one) => [one.iid ?? one.path, operation(one, prism)]));
  const byPath = Map.groupBy(all, ({ path }) => path);
  const methodsOf = (path: string): string[] =>
    (byPath.get(path) ?? []).flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return {
    operationIds: [...operations.keys()],
    operation: (operationId) => operations.get(operationId),
    methodsOf,
    operationFor({ method, path }) {
      const there = byPath.get(path);
      if (there === undefined) throw new Refusal(404, `the contract has no path ${path}`);
      const verb = method === "HEAD" ? "get" : method.toLowerCase();
      const asked = operations.get(there.find((one) => one.method === verb)?.iid ?? "");
      if (asked !== undefined) return asked;
      const methods = methodsOf(path);
      const allow = [...methods, "OPTIONS"].join(", ");
      throw new Refusal(405, `${path} takes ${methods.join(" or ")}, not ${method}`, { allow });
    },
  };
}

/**
 * Takes out the bounds that Prism puts on every integer of 64 bits, those of JavaScript's: the masterchain's shard, which the
 * contract allows to be a number, is far below.
 */
function unbind(schema: unknown, seen: Set<unknown> = new Set()): void {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
  seen.add(schema);
  if ("minimum" in schema && schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if ("maximum" in schema && schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  for (const part of Object.values(schema)) unbind(part, seen);
}

function operation(one: PrismOperation, prism: ReturnType<typeof createInstance>): Operation {
  const examples = one.responses.map(({ code, contents = [] }) => ({
    code,
    names: contents.flatMap(({ examples = [] }) => examples.map(({ key }) => key)),
  }));
  const values = one.responses.flatMap(({ code, contents = [] }) =>
    contents.flatMap(({ examples = [] }) =>
      examples.map((example): [string, number] => [example.key, statusIn(code, example)]),
    ),
  );
  // Of two answers with the same name the first, and so the most successful, is meant.
  const statuses = new Map(values.toReversed());

  /** Prism alone would answer with another status, or not at all, where the status that is asked for has no such example. */
  function refuseUnknownExample({ code = 200, example }: Preference): void {
    if (example === undefined) return;
    const answer = examples.find((response) => response.code === `${code}`) ?? examples.find(({ code }) => code === "default");
    if (answer?.names.includes(example)) return;
    const names = (answer?.names ?? []).join(", ");
    throw new Refusal(422, `Prefer: example=${example}: the ${code} answers of ${one.iid} are ${names}`);
  }

  return {
    operationId: one.iid ?? one.path,
    examples: [...new Set(values.map(([name]) => name))],
    statusOf: (example) => statuses.get(example),
    async ask(question, preference, seed) {
      refuseUnknownExample(preference);
      const result = await prism.request(request(question, one), [one], config(preference, seed))();
      if (result._tag === "Left") throw result.left;
      const { output, validations } = result.right;
      const { statusCode: status, headers, body } = output;
      const answer = { status, headers: texts(headers), body: truthful(status, body), constant: !preference.dynamic };
      return { answer, complaints: validations.input.map(({ message }) => message) };
    },
  };
}

function statusIn(code: string, example: object): number {
  const value: unknown = "value" in example ? example.value : undefined;
  const told = typeof value === "object" && value !== null && "code" in value ? Number(value.code) : 200;
  return code === "default" ? told : Number(code);
}

function request({ path, query, headers, body }: Question, { method }: PrismOperation): IHttpRequest {
  return {
    method: method as IHttpRequest["method"],
    url: { path, query },
    // The API speaks JSON whatever a caller accepts, so that a link opened in a browser works too.
    headers: { ...headers, accept: "application/json" },
    ...(body === undefined ? {} : { body }),
  };
}

/** Made anew for every request, because Prism writes into it. */
function config({ code, example, dynamic = false }: Preference, seed: string): IHttpConfig {
  return {
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
    mock: {
      // A made-up failure would carry a code and headers that contradict its status.
      dynamic: dynamic && (code ?? 200) < 300,
      seed,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
    },
  };
}

/** One example stands for every status that only `default` describes; the code of a failure still equals its status. */
function truthful(status: number, body: unknown): unknown {
  const contradicts = typeof body === "object" && body !== null && "ok" in body && body.ok === false;
  return contradicts && "code" in body && body.code !== status ? { ...body, code: status } : body;
}

function texts(headers: Record<string, unknown> = {}): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
