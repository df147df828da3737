/** The newest head that any instance of the service has answered with, so that a caller behind a load balancer never sees an older one. */

/**
 * Keeps the seqno of the newest masterchain block that was answered with. One register belongs to one chain.
 *
 * An instance answers as of `max(read(), its own head)`. Before it answers with a block that is newer than what it has read, it raises
 * the register. So no instance answers with an older block from then on, even if its replica lags: it waits, or asks the primary.
 */
export interface HeadRegister {
  /** Where it is kept, for the operator. */
  readonly name: string;
  /** Reads the register when a request arrives, in the round trip of its limit and its key. Never rejects. */
  refresh(): Promise<void>;
  /**
   * The highest seqno, not older than the last `refresh`, and so than the request that is answered. Undefined before the
   * first row of an era was raised to, and if the register could not be read or has a lower seqno than before: then the primary's row is
   * read instead.
   */
  read(): Promise<number | undefined>;
  /** Changes when the register may have lost what it had. */
  readonly era: number;
  /**
   * Raises the seqno, never lowers it. Resolves when every later `refresh` finds at least this seqno, or none can. Never rejects.
   *
   * @param rowEra - The era in which the read of the primary's row began, if the seqno is of that: `read` has a value from then on.
   */
  raise(seqno: number, rowEra?: number): Promise<void>;
  close(): Promise<void>;
}
