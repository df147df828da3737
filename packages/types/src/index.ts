/**
 * The types of the Chain Query HTTP API, generated from its contract.
 *
 * @example
 * ```ts
 * import type { ResultOf } from "@chain-query/types";
 *
 * const head = (info: ResultOf<"getMasterchainInfo">): number => info.last.seqno;
 * ```
 *
 * @module
 */
import type { components, operations } from "./openapi.gen.ts";

export type * from "./bigints.gen.ts";
export type * from "./openapi.gen.ts";

/** The name of an operation, such as `"lookupBlock"`. */
export type OperationId = keyof operations;

/** The schemas of the contract by their wire names, such as `Schemas["chain.blockIdExt"]`. */
export type Schemas = components["schemas"];

/**
 * The request of an operation, in wire form: the JSON body of a POST, the query parameters of a GET, or an empty object.
 *
 * @example
 * ```ts
 * const request: RequestOf<"getAddressInformation"> = { address: "0:…" };
 * ```
 */
export type RequestOf<Id extends OperationId> = { [Each in Id]: OneAtATime<WireInputOf<operations[Each]>> }[Id];

type WireInputOf<Operation> = Operation extends { requestBody: { content: { "application/json": infer Body } } }
  ? Body
  : Operation extends { parameters: { query?: infer Query } }
    ? [Exclude<Query, undefined>] extends [never]
      ? Record<string, never>
      : Exclude<Query, undefined>
    : never;

/**
 * A union whose alternatives exclude each other. Otherwise an object literal could have members of several alternatives, such as two
 * selectors of `lookupBlock`, because TypeScript checks excess members against the union as a whole.
 */
type OneAtATime<Union, All = Union> = Union extends unknown
  ? [Exclude<KeysOf<All>, keyof Union>] extends [never]
    ? Union
    : Union & { [Key in Exclude<KeysOf<All>, keyof Union>]?: never }
  : never;

type KeysOf<Union> = Union extends unknown ? keyof Union : never;

/** The envelope of a success: `ok` is `true`, and `result` holds the result. */
export type EnvelopeOf<Id extends OperationId> = operations[Id]["responses"][200]["content"]["application/json"];

/**
 * The result of an operation, without its envelope.
 *
 * @example
 * ```ts
 * const isActive = (account: ResultOf<"getAddressInformation">): boolean => account.state === "active";
 * ```
 */
export type ResultOf<Id extends OperationId> = EnvelopeOf<Id>["result"];

/**
 * One function for each operation, as a service implements them; `Context` is a second argument of its choice.
 *
 * @example
 * ```ts
 * const handlers = { lookupBlock: async ({ workchain, shard }) => … , … } satisfies Handlers;
 * ```
 */
export type Handlers<Context = unknown> = {
  [Id in OperationId]: (request: RequestOf<Id>, context: Context) => ResultOf<Id> | Promise<ResultOf<Id>>;
};
