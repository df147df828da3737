/** Selects a response: by the `Prefer` header of a request, or by an override of a test. */

import { type ExampleNames, type Operation, type OperationId, operations } from "@chain-query/openapi/operations";
import { OptionError } from "../options.ts";
import { type Preference, type RecordedRequest, RequestError, statusOfExample } from "./exchange.ts";

/**
 * Reads `code`, `example` and `dynamic` from a `Prefer` header; undefined if it has none of them.
 *
 * @throws RequestError with 422 if one of them has an invalid value.
 */
export function parsePreference(header: string | undefined): Preference | undefined {
  if (header === undefined) return undefined;
  const pairs = header.split(/[,;]/).map((pair): [string, string] => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim().toLowerCase(), unquoted(value.join("=").trim())];
  });
  const { code, example, dynamic } = Object.fromEntries(pairs);
  if (code === undefined && example === undefined && dynamic === undefined) return undefined;
  return {
    ...(code === undefined ? {} : { code: parseStatus(code) }),
    ...(example === undefined ? {} : { example }),
    ...(dynamic === undefined ? {} : { dynamic: parseBoolean(dynamic) }),
  };
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}

const statuses = "200, 304 or a status from 400 to 600";

/** Others are no status of this API: they are neither its success nor a failure. */
function isStatus(status: number): boolean {
  return Number.isInteger(status) && (status === 200 || status === 304 || (status >= 400 && status <= 600));
}

function parseStatus(code: string): number {
  if (/^\d{3}$/.test(code) && isStatus(Number(code))) return Number(code);
  throw new RequestError(422, `Prefer: code=${code}: expected ${statuses}`);
}

function parseBoolean(dynamic: string): boolean {
  if (dynamic === "true" || dynamic === "false") return dynamic === "true";
  throw new RequestError(422, `Prefer: dynamic=${dynamic}: expected true or false`);
}

/** The response of a {@link Handler}. The status is 200 by default; the body is sent as JSON, unchecked. */
export interface HandlerResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers the valid requests of an operation. */
export type Handler = (request: RecordedRequest) => HandlerResponse | Promise<HandlerResponse>;

/** The name of an example of the operation, a status, or a handler. */
export type Override<Id extends OperationId = OperationId> = ExampleNames[Id] | number | Handler;

/** The overrides of a mock, keyed by operation. */
interface Overrides {
  /** @throws OptionError if the operation or the example does not exist. */
  set<Id extends OperationId>(operationId: Id, override: Override<Id>): void;
  clear(): void;
  of(operationId: string): Preference | Handler | undefined;
}

/** Creates empty overrides. `set` checks an override, so that a wrong one fails where the test sets it. */
export function createOverrides(): Overrides {
  const overrides = new Map<string, Preference | Handler>();
  return {
    set(operationId, override) {
      const operation = operations.find(({ id }) => id === operationId);
      if (operation === undefined) {
        const ids = operations.map(({ id }) => id).join(", ");
        throw new OptionError(`override: expected one of the operations ${ids}, got ${JSON.stringify(operationId)}`);
      }
      overrides.set(operationId, typeof override === "function" ? override : preferenceOf(operation, override));
    },
    clear: () => overrides.clear(),
    of: (operationId) => overrides.get(operationId),
  };
}

function preferenceOf(operation: Operation, override: string | number): Preference {
  if (typeof override === "number") {
    if (isStatus(override)) return { code: override };
    throw new OptionError(`override of ${operation.id}: expected ${statuses}, got ${override}`);
  }
  const code = statusOfExample(operation, override);
  if (code !== undefined) return { code, example: override };
  const names = [...new Set(operation.responses.flatMap(({ examples }) => Object.keys(examples)))].join(", ");
  throw new OptionError(`override of ${operation.id}: expected one of its examples ${names}, got ${JSON.stringify(override)}`);
}
