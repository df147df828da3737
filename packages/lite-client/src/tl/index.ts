export type { LiteQuery } from "./lite-query.ts";
export {
  type LiteCall,
  type LiteQueries,
  type LiteWait,
  queries,
  readQuery,
  withWait,
  writeAnswer,
  writeError,
} from "./queries.ts";
export type { LiteAnswer, LiteArguments, LiteFunction } from "./scheme-values.ts";
export { TlReader } from "./tl-reader.ts";
export { TlWriter } from "./tl-writer.ts";
