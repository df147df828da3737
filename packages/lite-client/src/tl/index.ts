export type { LiteQuery } from "./lite-query.ts";
