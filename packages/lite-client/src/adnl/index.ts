export type { Connection } from "./connection.ts";
