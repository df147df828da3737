/** A function of a lite server with its arguments, ready to be sent. */
export interface LiteQuery<Answer> {
  /** The name of the function, `liteServer.` left out. */
  readonly name: string;
  /** The TL bytes of the function, without the envelope `liteServer.query`. */
  readonly bytes: Uint8Array;
  /**
   * Reads the answer.
   *
   * @throws LiteError of kind "protocol" if the bytes are not an answer to this query, and "refused", with its code, for a
   * `liteServer.error`.
   */
  read(answer: Uint8Array): Answer;
}
