export { type AdnlAddress, type Connection, type ConnectOptions, connect } from "./adnl/connect.ts";
export { beginFrame, endFrame, FrameReader, MAX_FRAME } from "./adnl/frames.ts";
export {
  type AdnlKey,
  type AdnlStreams,
  adnlKey,
  adnlKeyId,
  HANDSHAKE_BYTES,
  type HandshakeRandom,
  readHandshake,
  writeHandshake,
} from "./adnl/handshake.ts";
export { type AdnlServer, type OnQuery, type ServeOptions, serveAdnl } from "./adnl/serve.ts";
export { LiteError, type LiteErrorKind } from "./lite-error.ts";
export { TlReader, TlWriter } from "./tl/bytes.ts";
export {
  type LiteCall,
  type LiteQueries,
  type LiteQuery,
  type LiteWait,
  queries,
  readQuery,
  withWait,
  writeAnswer,
  writeError,
} from "./tl/queries.ts";
export type { LiteAnswer, LiteArguments, LiteFunction, LiteSignatureSet } from "./tl/scheme.ts";
export { readCandidate, type SimplexVote, signedBlock, signedVote, writeCandidate } from "./tl/signed.ts";
