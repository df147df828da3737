/** Requests, responses and their sources, independent of Node.js and of Prism. */
import { type Operation, operations } from "@chain-query/openapi/operations";
import { type Place, reasonOf } from "@chain-query/openapi/requests";

/** A received request. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** A parameter that is given several times has a list of values. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the text if it is not JSON; absent without a body. */
  readonly body?: unknown;
  /** Bytes of the body. */
  readonly size: number;
  /** Address of the caller. */
  readonly client: string;
  /** Set if the path or the body cannot be read. */
  readonly error?: RequestError;
  /** The inputs of a request that was sent in another form than the contract's, and their place. */
  readonly converted?: { readonly inputs: Readonly<Record<string, unknown>>; readonly place: Place };
}

/** A response; the body is sent as JSON. */
export interface ApiResponse {
  /** 0 closes the connection without a response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Whether the body is an object that never changes, so that its JSON can be cached. */
  readonly constant?: boolean;
  /** The name of the example that the body is. */
  readonly example?: string | undefined;
}

/** Answers a request. Conditions, the log and the server wrap one responder in another. */
export type Responder = (request: ApiRequest) => Promise<ApiResponse>;

/** Closes the connection without a response. */
export const dropConnection: ApiResponse = { status: 0, headers: {}, body: undefined };

/** A failure with the error body of the contract. */
export function failure(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
  input?: string,
): ApiResponse {
  return { status, headers, body: { ok: false, error, code: status, reason: reasonOf(status), ...(input && { input }) } };
}

/** Why a request is refused, with the response to it. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly response: ApiResponse;

  /** @param input - The member of the request that is wrong. */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}, input?: string) {
    super(message);
    this.response = failure(status, message, headers, input);
  }
}

/** The operations of a path. */
export function operationsOf(path: string): Operation[] {
  return operations.filter((operation) => operation.path === path);
}

/** The inputs of a request of an operation, their place if it is not the contract's, and the `@extra` that the response repeats. */
export function sentIn(
  { query, body, converted }: ApiRequest,
  { method }: Operation,
): { readonly sent: unknown; readonly place: Place | undefined; readonly extra: unknown } {
  const { inputs: sent = method === "GET" ? query : body, place } = converted ?? {};
  return { sent, place, extra: Object(sent)["@extra"] ?? query["@extra"] };
}

/** The methods of a path; empty if the contract does not have it. */
export function methodsOf(path: string): string[] {
  return operationsOf(path).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD", "OPTIONS"] : [method, "OPTIONS"]));
}

/** Why a method is refused that a path does not have. */
export function wrongMethod(method: string, methods: readonly string[]): RequestError {
  const allow = methods.join(", ");
  return new RequestError(405, `${method} is not allowed here; allowed are ${allow}`, { allow });
}

/** Selects a response. */
export interface Preference {
  readonly code?: number;
  /** The name of an example. */
  readonly example?: string;
  /** Whether to generate the response from its schema. */
  readonly dynamic?: boolean;
}

/** Makes the responses of operations. The server uses Prism, see prism.ts; the browser the examples. */
export interface ResponseSource {
  /** @param seed - The mock's seed and the request; equal seeds give equal generated responses. */
  respond(operation: Operation, preference: Preference, seed: string): Promise<ApiResponse>;
}

/** Responds with the examples of the contract, and generates nothing. Works in browsers. */
export const exampleSource: ResponseSource = {
  async respond(operation, { code = 200, example }) {
    const response = responseOf(operation, code);
    const names = Object.keys(response?.examples ?? {});
    const body = response?.examples[example ?? names[0] ?? ""]?.value;
    return { status: code, headers: exampleHeaders(operation, code), body: withStatus(body, code), constant: true };
  },
};

/** The headers of a response that have an example. The contract declares others, which not every deployment sends. */
export function exampleHeaders(operation: Operation, code: number): Record<string, string> {
  const headers = Object.entries(responseOf(operation, code)?.headers ?? {});
  return Object.fromEntries(
    headers.flatMap(([name, { schema }]) =>
      (schema.examples ?? []).slice(0, 1).map((value) => [name.toLowerCase(), String(value)]),
    ),
  );
}

/** @throws RequestError with 422 if the preferred status has no such example. */
export function requireExample(operation: Operation, { code = 200, example }: Preference): void {
  if (example === undefined) return;
  const names = Object.keys(responseOf(operation, code)?.examples ?? {});
  if (names.includes(example)) return;
  throw new RequestError(422, `Prefer: example=${example}: the ${code} responses of ${operation.id} are ${names.join(", ")}`);
}

/** The status of the first response with an example of this name, successes first. */
export function statusOfExample({ responses }: Operation, example: string): number | undefined {
  return responses.flatMap(({ examples }) => examples[example] ?? [])[0]?.status;
}

function responseOf({ responses }: Operation, code: number): Operation["responses"][number] | undefined {
  return responses.find(({ status }) => status === `${code}`) ?? responses.find(({ status }) => status === "default");
}

/** One example documents all statuses under `default`; the code of a failure must still equal its status. */
export function withStatus(body: unknown, status: number): unknown {
  const isFailure = typeof body === "object" && body !== null && "ok" in body && body.ok === false;
  return isFailure && "code" in body && body.code !== status ? { ...body, code: status, reason: reasonOf(status) } : body;
}

/** A request as the mock received it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Keyed by lower-case name; the value of an API key is `[redacted]`, here and in the query. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; the beginning of its text if it is longer than 16 kB. */
  readonly body?: unknown;
}

/** In bytes. Longer bodies are truncated, so that a thousand of them fit in memory. */
const bodyLimit = 16 * 1024;

/** The record of a request, without its API key. */
export function recorded({ method, path, query, headers, body, size }: ApiRequest): RecordedRequest {
  const kept = size > bodyLimit ? JSON.stringify(body)?.slice(0, bodyLimit) : body;
  return {
    method,
    path,
    query: "api_key" in query ? { ...query, api_key: "[redacted]" } : query,
    headers: "x-api-key" in headers ? { ...headers, "x-api-key": "[redacted]" } : headers,
    ...(body === undefined ? {} : { body: kept }),
  };
}

/** The latest requests, oldest first. */
interface Recording {
  readonly list: readonly RecordedRequest[];
  add(request: ApiRequest): void;
  clear(): void;
}

/** Keeps the latest requests, at most `limit`. */
export function createRecording(limit: number): Recording {
  const list: RecordedRequest[] = [];
  return {
    list,
    add(request) {
      if (limit === 0) return;
      if (list.length >= limit) list.shift();
      list.push(recorded(request));
    },
    clear: () => void list.splice(0),
  };
}
