/** What the plan is calculated from. The costs were measured on two cores that other programs used too. */

/** A number of the plan. */
export interface Input {
  readonly value: number;
  readonly help: string;
  /** Where the value comes from. */
  readonly source: string;
}

export type InputName =
  | "requestMicros"
  | "limitMicros"
  | "missMicros"
  | "postgresMicros"
  | "redisMicros"
  | "answerBytes"
  | "transactionBytes"
  | "writesPerSecond"
  | "coldShare"
  | "coldReads"
  | "clusteredReads"
  | "workers"
  | "workerShare"
  | "postgresCores"
  | "postgresShare"
  | "postgresTerabytes"
  | "redisShare";

export const inputs: Readonly<Record<InputName, Input>> = {
  requestMicros: { value: 45, help: "CPU µs of Node for HTTP, a request", source: "pnpm bench server" },
  limitMicros: { value: 43, help: "CPU µs of Node for limit, key and head, a request", source: "pnpm bench redis" },
  missMicros: { value: 190, help: "CPU µs of Node for a page that is not cached", source: "a prototype" },
  postgresMicros: { value: 83, help: "CPU µs of PostgreSQL for such a page", source: "pnpm bench index" },
  redisMicros: { value: 16, help: "CPU µs of Redis, a request", source: "a prototype" },
  answerBytes: { value: 6000, help: "bytes of an answer", source: "estimate" },
  transactionBytes: { value: 1900, help: "bytes on disk, a transaction", source: "pnpm bench index" },
  writesPerSecond: { value: 10_000, help: "transactions that the indexer writes in a second", source: "pnpm bench index" },
  coldShare: { value: 0.05, help: "share of misses that no memory has", source: "estimate" },
  coldReads: { value: 11, help: "reads from disk of a cold page", source: "an index entry and ten rows" },
  clusteredReads: { value: 3, help: "the same after CLUSTER of a closed partition", source: "an index entry and two blocks" },
  workers: { value: 4, help: "workers of an instance", source: "one for each core" },
  workerShare: { value: 0.6, help: "share of a worker's core in use", source: "headroom" },
  postgresCores: { value: 16, help: "cores of a PostgreSQL machine", source: "a usual machine" },
  postgresShare: { value: 0.5, help: "share of them in use", source: "headroom" },
  postgresTerabytes: { value: 10, help: "TB that one PostgreSQL should hold", source: "estimate" },
  redisShare: { value: 0.7, help: "share of a Redis core in use", source: "headroom" },
};

export type Inputs = Readonly<Record<InputName, number>>;

/** The values of the table above. */
export const measured: Inputs = Object.fromEntries(Object.entries(inputs).map(([name, { value }]) => [name, value])) as Inputs;

/** Requests per second, and the share of them that an instance answers from its own cache. */
export interface Load {
  readonly requests: number;
  readonly hitRate: number;
}

export const loads: readonly Load[] = [
  { requests: 10_000, hitRate: 0.5 },
  { requests: 100_000, hitRate: 0.7 },
  { requests: 1_000_000, hitRate: 0.8 },
];

/** Transactions per second: a usual day, the worst burst, and two stress tests. */
export const writes: readonly number[] = [50, 2000, 20_000, 100_000];
