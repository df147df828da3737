export { type AdnlAddress, type Connection, type ConnectOptions, connect } from "./connect.ts";
export { beginFrame, endFrame, FrameReader, MAX_FRAME } from "./frames.ts";
export {
  type AdnlKey,
  type AdnlStreams,
  adnlKey,
  adnlKeyId,
  HANDSHAKE_BYTES,
  type HandshakeRandom,
  readHandshake,
  writeHandshake,
} from "./handshake.ts";
export { type AdnlServer, type OnQuery, type ServeOptions, serveAdnl } from "./serve.ts";
