export { type BehavingCall, combine, type LiteBehaviour } from "./behaviour.ts";
export { forkedHead, frozenHead, futureHead, headGoesBack, staleHead } from "./testing/chain-tips.ts";
export {
  closedPort,
  frameLength,
  halfCloses,
  repeatedAnswer,
  resets,
  silentConnection,
  stalls,
  trickles,
  unknownMessage,
  wrongChecksum,
  wrongPong,
  wrongQueryId,
} from "./testing/connections.ts";
export {
  answerOfAnotherFunction,
  changeBytes,
  changeCalls,
  delay,
  garbage,
  hugeVector,
  refuse,
  type Scope,
  silence,
  trailingBytes,
  truncated,
  wrongTag,
} from "./testing/failing-answers.ts";
export {
  type ChangedCall,
  changeAnswer,
  changeBoc,
  cyclicBoc,
  deepBoc,
  flipBit,
  forgeBoc,
  hiddenAccount,
  historyGap,
  nextBlock,
  otherAccount,
  otherBlock,
  previousBlock,
  shortHistory,
  truncateBoc,
} from "./testing/false-answers.ts";
export { type FaultyServerOptions, startFaultyLiteServer } from "./testing/faulty-server.ts";
