/** A chain's store cannot be read or written. The message is one line: what is wrong, where, and what is accepted. */
export class ChainStoreError extends Error {
  override readonly name = "ChainStoreError";
}
