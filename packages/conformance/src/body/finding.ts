/** A place where a body differs from the contract, before it is compared with the known deviations. */
export interface Finding {
  /** Path to the place from the top of the body. */
  readonly segments: readonly string[];
  /** `missing`: a required member is absent. `wrong`: the value breaks the schema. `law`: it breaks a decision. */
  readonly kind: "missing" | "wrong" | "law";
  readonly expected: string;
  /** The value at the place; undefined if absent. */
  readonly value: unknown;
  /** The place in the contract's schemas, or the number of the decision. */
  readonly rule: string;
}

/** What is judged in a body: a result, in its envelope or bare, or a failure. */
export type Subject =
  | {
      readonly kind: "result";
      readonly operation: string;
      readonly result: unknown;
      /** The path to the result: `["result"]` in an envelope, `[]` if the body is the bare result. */
      readonly prefix: readonly string[];
      /** Whether the envelope has the `@extra` of the generation that the contract describes. */
      readonly described: boolean;
    }
  | { readonly kind: "failure"; readonly failure: unknown };
