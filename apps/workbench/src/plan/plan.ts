/** How many machines a load needs: arithmetic over the inputs. */
import type { Inputs, Load } from "./inputs.ts";

/** What a load of requests needs. */
export interface ReadPlan {
  readonly nodeCores: number;
  readonly instances: number;
  readonly postgresCores: number;
  /** PostgreSQL servers that answer: the primary or replicas. */
  readonly readers: number;
  readonly redisServers: number;
  readonly coldReads: number;
  readonly clusteredReads: number;
  readonly gigabits: number;
}

/** What a load of transactions needs. */
export interface WritePlan {
  readonly gigabytesPerDay: number;
  /** Of what one writer can do. */
  readonly share: number;
  /** Days until one PostgreSQL holds as much as it should. */
  readonly days: number;
}

/** What one of each carries, in requests per second. */
export interface Capacity {
  readonly instance: number;
  readonly postgres: number;
  readonly redis: number;
  readonly network: number;
}

/** CPU seconds of Node for the average request. */
function nodeSeconds(inputs: Inputs, hitRate: number): number {
  return (inputs.requestMicros + inputs.limitMicros + (1 - hitRate) * inputs.missMicros) / 1e6;
}

export function planReads(inputs: Inputs, { requests, hitRate }: Load): ReadPlan {
  const misses = requests * (1 - hitRate);
  const nodeCores = requests * nodeSeconds(inputs, hitRate);
  const postgresCores = (misses * inputs.postgresMicros) / 1e6;
  const cold = misses * inputs.coldShare;
  return {
    nodeCores,
    instances: Math.ceil(nodeCores / (inputs.workers * inputs.workerShare)),
    postgresCores,
    readers: Math.ceil(postgresCores / (inputs.postgresCores * inputs.postgresShare)),
    redisServers: Math.ceil((requests * inputs.redisMicros) / 1e6 / inputs.redisShare),
    coldReads: cold * inputs.coldReads,
    clusteredReads: cold * inputs.clusteredReads,
    gigabits: (requests * inputs.answerBytes * 8) / 1e9,
  };
}

export function planWrites(inputs: Inputs, transactions: number): WritePlan {
  const gigabytesPerDay = (transactions * 86_400 * inputs.transactionBytes) / 1e9;
  return {
    gigabytesPerDay,
    share: transactions / inputs.writesPerSecond,
    days: (inputs.postgresTerabytes * 1000) / gigabytesPerDay,
  };
}

/** At a hit rate; `network` is a link of 10 Gbit/s. */
export function capacityOf(inputs: Inputs, hitRate: number): Capacity {
  return {
    instance: (inputs.workers * inputs.workerShare) / nodeSeconds(inputs, hitRate),
    postgres: (inputs.postgresCores * inputs.postgresShare * 1e6) / inputs.postgresMicros / (1 - hitRate),
    redis: (inputs.redisShare * 1e6) / inputs.redisMicros,
    network: 10e9 / (inputs.answerBytes * 8),
  };
}
