/** Checks the arguments of helpers. */
import { InvalidArgumentError } from "../errors.ts";

/** Whether a value is accepted, and what it must be. */
export type Rule = readonly [isAccepted: (value: unknown) => boolean, wanted: string];

const isFunction = (value: unknown): boolean => typeof value === "function";

export const positiveRule: Rule = [(value) => typeof value === "number" && value > 0, "a positive number"];
export const callbackRule: Rule = [isFunction, "a function"];
export const booleanRule: Rule = [(value) => typeof value === "boolean", "a boolean"];
export const signalRule: Rule = [
  (value) => isFunction(Object(value).addEventListener) && "aborted" in Object(value),
  "an AbortSignal",
];

export function integerRule(least: number, most: number = Number.MAX_SAFE_INTEGER): Rule {
  const isWithin = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return [isWithin, `an integer from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ""}`];
}

/** Throws an `InvalidArgumentError` for an option that is unknown or wrong. */
export function checkOptions<Options extends object>(
  where: string,
  options: Options,
  accepted: Record<keyof Options, Rule>,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(accepted, name)) mustBe(where, "options", `among ${Object.keys(accepted).join(", ")}`, name);
    const [isAccepted, wanted] = accepted[name as keyof Options];
    if (value !== undefined && !isAccepted(value)) mustBe(where, name, wanted, shown(value));
  }
}

/** Throws an `InvalidArgumentError`. */
export function mustBe(where: string, name: string, wanted: string, got: string): never {
  throw new InvalidArgumentError(`${name} must be ${wanted}, got ${got}`, { operation: where, attempts: 0 });
}

/** Shows a value in a message: a primitive as it is, an object by its type. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  return Object(value) === value ? Object.prototype.toString.call(value).slice(1, -1) : String(value);
}
