/** A request as far as the contract is concerned with it. */
export interface Question {
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Parsed where the content type is JSON, else text; absent where nothing was sent. */
  body?: unknown;
}

/** What goes back; the body is sent as JSON. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Answers one question. What changes, delays, records or replaces answers takes one of these and gives another. */
export type Responder = (question: Question) => Promise<Answer>;

/** An answer in the contract's envelope for everything that did not succeed. */
export function failure(status: number, error: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: { ok: false, error, code: status } };
}

/** A reason to answer with a failure, thrown where a question cannot even be put to the contract. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "Refusal";
    this.answer = failure(status, message, headers);
  }
}
