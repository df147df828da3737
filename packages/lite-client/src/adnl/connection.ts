/** A connection to one lite server. */
export interface Connection {
  /**
   * Sends the bytes of a function, as a `LiteQuery` has them, and resolves with the bytes of its answer. The envelopes
   * `adnl.message.query` and `liteServer.query` are added here.
   *
   * @throws LiteError of kind "unavailable" if the connection ends, "protocol" if the server breaks the protocol.
   * @throws The reason of the signal, when it aborts.
   */
  query(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** Queries without an answer yet. */
  readonly inFlight: number;
  /** Resolves when the connection has ended, with the reason; undefined after `close`. */
  readonly closed: Promise<Error | undefined>;
  close(): void;
}
