import type { Breach } from "../../check.ts";
import type { Answer, Exchange } from "../../exchange.ts";
import type { Deviation } from "../../judge-body.ts";

/** A law of all answers, or of all answers of some operations. */
export interface AnswerLaw {
  readonly id: string;
  readonly says: string;
  readonly law: string;
  /** All operations where they are left out. */
  readonly operations?: readonly string[];
  readonly breaches: (exchange: Exchange, answer: Answer, deviations: readonly Deviation[]) => Breach[];
}
