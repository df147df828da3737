/** A request as far as the contract is concerned with it. */
export interface Question {
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Parsed where it is JSON by its content type and its text, else the text; absent where nothing was sent. */
  body?: unknown;
  /** Bytes of the body. */
  size: number;
  /** Address of the caller. */
  client: string;
  /** Why the body cannot be put to the contract, where it cannot. */
  refusal?: Refusal;
}

/** What goes back; the body is sent as JSON. */
export interface Answer {
  /** 0 where the connection ends instead. */
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** Whether the body is an object that comes again and never changes, so that its text can be kept. */
  constant?: boolean;
}

/** Answers one question. What changes, delays, records or replaces answers takes one of these and gives another. */
export type Responder = (question: Question) => Promise<Answer>;

/** No answer at all: the connection ends. */
export const hangUp: Answer = { status: 0, headers: {}, body: undefined };

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

/** A responder that answers whatever happens: what is thrown becomes a failure. */
export function answering(respond: Responder): Responder {
  return async (question) => {
    try {
      return await respond(question);
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      console.error(error);
      return failure(500, `the mock failed: ${error}`);
    }
  };
}
