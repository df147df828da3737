import type { Answer } from "./exchange.ts";
import { OptionError } from "./options.ts";
import type { Preference } from "./preference.ts";
import type { Contract, Operation } from "./prism.ts";
import type { RecordedRequest } from "./record.ts";

/** What a handler answers with; the status is 200 where it is left out, and the body is sent as it is. */
export interface HandlerAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Answers the valid requests to an operation in its own way. */
export type Handler = (request: RecordedRequest) => HandlerAnswer | Promise<HandlerAnswer>;

/** The name of an example, a status, or a handler. */
export type Override = string | number | Handler;

/** Answers that were put in the place of the contract's own. */
export interface Overrides {
  set(operationId: string, override: Override): void;
  clear(): void;
  of(operationId: string): Preference | Handler | undefined;
}

/** Keeps overrides, each checked against the contract when it is made: a test must not wait for an answer that does not exist. */
export function overridesOf(contract: Contract): Overrides {
  const overrides = new Map<string, Preference | Handler>();
  return {
    set(operationId, override) {
      const operation = contract.operation(operationId);
      if (operation === undefined) {
        throw new OptionError(`override of ${operationId}: the operations are ${contract.operationIds.join(", ")}`);
      }
      overrides.set(operationId, typeof override === "function" ? override : preferenceOf(operation, override));
    },
    clear: () => overrides.clear(),
    of: (operationId) => overrides.get(operationId),
  };
}

function preferenceOf({ operationId, examples, statusOf }: Operation, override: string | number): Preference {
  if (typeof override === "number") {
    if (Number.isInteger(override) && override >= 200 && override <= 600) return { code: override };
    throw new OptionError(`override of ${operationId} by status ${override}: a status from 200 to 600 is accepted`);
  }
  const code = statusOf(override);
  if (code !== undefined) return { code, example: override };
  throw new OptionError(`override of ${operationId} by example ${override}: its examples are ${examples.join(", ")}`);
}

/** A handler's answer in full. */
export function completed({ status = 200, headers = {}, body }: HandlerAnswer): Answer {
  return { status, headers, body };
}
