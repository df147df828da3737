export { TlReader, TlWriter } from "./bytes.ts";
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
} from "./queries.ts";
export type { LiteAnswer, LiteArguments, LiteFunction, LiteSignatureSet } from "./scheme.ts";
export { readCandidate, type SimplexVote, signedBlock, signedVote, writeCandidate } from "./signed.ts";
