/** The only importer of openapi-fetch, which writes the URL, the headers and the body of each call. */
import type { Failure, paths } from "@chain-query/types";
import createOpenapiFetch from "openapi-fetch";
import type { OutgoingRequest, ReceivedResponse } from "./settings.ts";

type HttpMethod = "get" | "post";

/** The operations by their paths, of those that are called with a method. */
type OperationsBy<Method extends HttpMethod> = {
  [Path in keyof paths as paths[Path][Method] extends object ? Path : never]: paths[Path][Method];
};

type ParametersOf<Operation> = Operation extends { parameters: infer Parameters }
  ? object extends Parameters
    ? { params?: Parameters }
    : { params: Parameters }
  : never;

type BodyOf<Operation> = Operation extends { requestBody: { content: { "application/json": infer Body } } }
  ? { body: Body }
  : { body?: undefined };

type EnvelopeIn<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Envelope } } } }
  ? Envelope
  : never;

/**
 * What `client.raw` sees of a call. Return another request or response to replace the given one.
 *
 * @example
 * ```ts
 * const middleware: Middleware = { onResponse: ({ response }) => console.log(response.status) };
 * chain.raw.use(middleware);
 * ```
 */
export interface Middleware {
  /** Before the request is sent; `schemaPath` is its path in the contract. A response ends the call. */
  onRequest?(call: { request: Request; readonly schemaPath: string }): MaybePromise<Request | Response>;
  /** After the response. */
  onResponse?(call: { request: Request; response: Response }): MaybePromise<Response>;
  /** After a failure without a response. */
  onError?(call: { request: Request; error: unknown }): MaybePromise<Response | Error>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a callback that only looks at a call returns nothing.
type MaybePromise<Value> = Value | undefined | void | Promise<Value | undefined | void>;

/**
 * What a call of `client.raw` resolves to: the envelope of a success, or that of a failure.
 *
 * @example
 * ```ts
 * const headOf = ({ data }: RawResponse<EnvelopeOf<"getMasterchainInfo">>) => data?.result.last.seqno;
 * ```
 */
export type RawResponse<Envelope> =
  | { data: Envelope; error?: undefined; response: Response }
  | { data?: undefined; error: Failure; response: Response };

/**
 * The input of a call of `client.raw` in wire form, and any member that `fetch` takes.
 *
 * @example
 * ```ts
 * const options: RawOptions<operations["getConsensusBlock"]> = { body: {}, cache: "no-store" };
 * ```
 */
export type RawOptions<Operation> = ParametersOf<Operation> &
  BodyOf<Operation> &
  Omit<RequestInit, "body" | "headers" | "method"> & {
    headers?: Record<string, string> | undefined;
    middleware?: Middleware[] | undefined;
  };

/**
 * A method of `client.raw`, such as `GET`.
 *
 * @example
 * ```ts
 * const post: RawMethod<"post"> = chain.raw.POST;
 * ```
 */
export type RawMethod<Method extends HttpMethod> = <Path extends keyof OperationsBy<Method>>(
  path: Path,
  ...options: object extends RawOptions<OperationsBy<Method>[Path]>
    ? [options?: RawOptions<OperationsBy<Method>[Path]>]
    : [options: RawOptions<OperationsBy<Method>[Path]>]
) => Promise<RawResponse<EnvelopeIn<OperationsBy<Method>[Path]>>>;

/**
 * Plain openapi-fetch, typed by the contract: members keep their wire names, and a failure of the service is returned as `error`.
 * It throws a `ChainQueryError` only if no complete response arrives. Its middleware sees only its own calls.
 *
 * The types are our own, so that declarations of a project that uses them name no package that it does not depend on.
 *
 * @example
 * ```ts
 * const query = { address, to_lt: "433000001" };
 * const { data, error } = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query } });
 * ```
 */
export interface RawClient {
  /** Calls an operation that takes its input in the query. */
  readonly GET: RawMethod<"get">;
  /** Calls an operation that takes its input as body. */
  readonly POST: RawMethod<"post">;
  /** Adds middleware. */
  use(...middleware: Middleware[]): void;
  /** Removes middleware. */
  eject(...middleware: Middleware[]): void;
}

/** Calls an operation that is known at run time only. The caller guarantees the type of `wire`. */
export type CarryCall = (
  method: "GET" | "POST",
  path: string,
  wire: Record<string, unknown>,
  headers: Record<string, string> | undefined,
  send: (outgoing: OutgoingRequest) => Promise<ReceivedResponse>,
) => Promise<{ readonly response: ReceivedResponse }>;

/** Constructs the request of a call. A platform Request would cost more than the rest of the call. */
function CallRequest(url: string, { method, headers, body }: OutgoingRequest): OutgoingRequest {
  return { url, method, headers, body };
}

/** Creates `client.raw`, and the way of the client's own calls through openapi-fetch. */
export function createCarrier(
  baseUrl: string,
  headers: Record<string, string> = {},
  sendRaw: (outgoing: OutgoingRequest, signal: AbortSignal) => Promise<ReceivedResponse>,
): { raw: RawClient; carryCall: CarryCall } {
  const raw = createOpenapiFetch<paths, "application/json">({
    baseUrl,
    headers,
    fetch: async (request) => {
      const { url, method, headers, signal } = request;
      // Of a copy: the fetch of React Native refuses a request that was read.
      const body = await request.clone().text();
      const { response, text } = await sendRaw({ url, method, headers: new Headers(headers), body, request }, signal);
      return new Response(text || null, response);
    },
  });
  const own = createOpenapiFetch({
    baseUrl,
    headers,
    Request: CallRequest as never,
    bodySerializer: (body) => JSON.stringify(body),
  });
  // Its paths and the response of its `fetch` are not those that its types expect.
  const { GET, POST } = own as unknown as Record<"GET" | "POST", (path: string, init: object) => ReturnType<CarryCall>>;
  const carryCall: CarryCall = (method, path, wire, headers, fetch) =>
    method === "GET" ? GET(path, { params: { query: wire }, headers, fetch }) : POST(path, { body: wire, headers, fetch });
  return { raw: raw as unknown as RawClient, carryCall };
}
