import type { Deviation } from "../../body/judge-body.ts";
import type { Answer, Exchange } from "../../service/exchange.ts";
import type { Breach } from "../check.ts";

/** A law of all answers, or of all answers of some operations. */
export interface AnswerLaw {
  readonly id: string;
  readonly says: string;
  readonly law: string;
  /** All operations where they are left out. */
  readonly operations?: readonly string[];
  readonly breaches: (exchange: Exchange, answer: Answer, deviations: readonly Deviation[]) => Breach[];
}
