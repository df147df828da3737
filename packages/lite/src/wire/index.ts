export { type AdnlAddress, type Connection, type ConnectOptions, connect } from "./adnl/connect.ts";
export { type AdnlKey, adnlKey, adnlKeyId } from "./adnl/handshake.ts";
export { type AdnlServer, type OnQuery, type ServeOptions, serveAdnl } from "./adnl/serve.ts";
export { LiteError, type LiteErrorKind } from "./lite-error.ts";
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
