/** Overrides of a mock: answers that a test sets for an operation. */
import { type ExampleNames, type Operation, type OperationId, operations } from "@chain-query/openapi/operations";
import type { RecordedRequest } from "../http/recording.ts";
import { OptionError } from "../options.ts";
import type { Preference } from "./preference.ts";
import { statusOfExample } from "./source.ts";

/** The response of a {@link Handler}. The status is 200 by default; the body is sent as JSON, unchecked. */
export interface HandlerAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers the valid requests of an operation. */
export type Handler = (request: RecordedRequest) => HandlerAnswer | Promise<HandlerAnswer>;

/** The name of an example of the operation, a status, or a handler. */
export type Override<Id extends OperationId = OperationId> = ExampleNames[Id] | number | Handler;

/** The overrides of a mock, keyed by operation. */
export interface Overrides {
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
    if (Number.isInteger(override) && override >= 200 && override <= 600) return { code: override };
    throw new OptionError(`override of ${operation.id}: expected a status from 200 to 600, got ${override}`);
  }
  const code = statusOfExample(operation, override);
  if (code !== undefined) return { code, example: override };
  const names = [...new Set(operation.responses.flatMap(({ examples }) => Object.keys(examples)))].join(", ");
  throw new OptionError(`override of ${operation.id}: expected one of its examples ${names}, got ${JSON.stringify(override)}`);
}
