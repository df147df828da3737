export { type BehavingCall, combine, type LiteBehaviour } from "./behaviour.ts";
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
} from "./testing/answers.ts";
export { closedPort, halfCloses, resets, silentConnection, stalls, trickles } from "./testing/connections.ts";
export { type FaultyServerOptions, startFaultyLiteServer } from "./testing/faulty-server.ts";
export { frameLength, repeatedAnswer, unknownMessage, wrongChecksum, wrongPong, wrongQueryId } from "./testing/frames.ts";
export { forkedHead, frozenHead, futureHead, headGoesBack, staleHead } from "./testing/heads.ts";
export {
  changeAnswer,
  changeBoc,
  cyclicBoc,
  deepBoc,
  flipBit,
  forgeBoc,
  hiddenAccount,
  historyGap,
  type Lie,
  nextBlock,
  otherAccount,
  otherBlock,
  previousBlock,
  shortHistory,
  truncateBoc,
} from "./testing/lies.ts";
