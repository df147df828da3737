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

/** A lite server. */
export interface AdnlAddress {
  readonly host: string;
  readonly port: number;
  /** Its Ed25519 key, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Options of a connection. */
export interface ConnectOptions {
  /** Ends the attempt. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the server has confirmed the handshake; default: 3000. */
  readonly timeout?: number | undefined;
  /** Milliseconds of silence until a ping; after twice as many the connection is closed. Default: 10,000. */
  readonly keepAlive?: number | undefined;
  /** Longer frames of the server close the connection; default: 2^24 bytes, the longest of the protocol. */
  readonly maxFrame?: number | undefined;
}
