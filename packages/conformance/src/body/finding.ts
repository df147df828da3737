/** One place where a body is not what the contract says, before it is known whether that is a known deviation. */
export interface Finding {
  /** Way to the place from the top of the body. */
  readonly segments: readonly string[];
  /** `missing`: a required member is not there. `wrong`: what is there breaks the schema. `law`: it breaks a decision. */
  readonly kind: "missing" | "wrong" | "law";
  readonly expected: string;
  /** What stands there; undefined where nothing does. */
  readonly value: unknown;
  /** Place in the contract's schemas, or number of the decision. */
  readonly rule: string;
}

/** What is judged in a body, whatever it came wrapped in. */
export type Subject =
  /**
   * `prefix` is the way to the result: `["result"]` in an envelope, `[]` where the body is the bare result. `described` where the
   * envelope shows the hand of the generation that the contract describes: an `@extra` of its own.
   */
  | {
      readonly kind: "result";
      readonly operation: string;
      readonly result: unknown;
      readonly prefix: readonly string[];
      readonly described: boolean;
    }
  | { readonly kind: "failure"; readonly failure: unknown };
