import { hex } from "@chain-query/format/cells";
import type { AccountId, BlockHeader } from "@chain-query/format/store";
import { type LocalChain, openChain } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain, stepsOf } from "@chain-query/local-chain/testing";
import { BUSY, BUSY_STEPS } from "@chain-query/testing/chains";
import { afterAll, expect, onTestFinished } from "vitest";
import type { LiteBehaviour } from "../src/answers/behaviour.ts";
import { type LiteServer, startLiteServer } from "../src/answers/server.ts";
import { liteChain } from "../src/answers/signing-chain.ts";
import { startFaultyLiteServer } from "../src/faults/faulty-server.ts";
import { type LiteClient, type LiteClientOptions, liteClient } from "../src/lite-client.ts";
import type { LiteEvent } from "../src/servers/events.ts";
import type { GlobalConfig } from "../src/servers/global-config.ts";
import { type Connection, connect } from "../src/wire/adnl/connect.ts";
import type { LiteQuery } from "../src/wire/tl/queries.ts";

/** A chain behind a lite server, with a connection to it. */
export interface ServedChain {
  readonly chain: LocalChain;
  readonly server: LiteServer;
  /** Every block but the zero states. */
  readonly headers: readonly BlockHeader[];
  /** Every account that has a transaction. */
  readonly accounts: readonly AccountId[];
  ask<Answer>(query: LiteQuery<Answer>): Promise<Answer>;
  /** The answer in TL. */
  send(query: Uint8Array): Promise<Uint8Array>;
  /** The configuration of a client of other servers. */
  configOf(servers: readonly LiteServer[]): GlobalConfig;
}

/** Serves the first steps of a chain, by default the busy one, to the tests of a file. Its server must have no errors. */
export async function serveChain(
  steps: number = BUSY_STEPS,
  options: Omit<MadeChainOptions, "steps"> = BUSY,
): Promise<ServedChain> {
  const directory = await madeChain({ ...options, steps });
  const chain = openChain(directory);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const server = await startLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(7), onError });
  const connection: Connection = await connect(server);
  const blocks = (await stepsOf(directory)).flatMap(({ shards, masterchain }) => [...shards, masterchain]);
  const accounts = new Map(
    blocks.flatMap(({ transactions }) =>
      transactions.map(({ account }) => [JSON.stringify([account.workchain, hex(account.hash)]), account]),
    ),
  );
  afterAll(async () => {
    connection.close();
    await server.close();
    await chain.close();
    expect(errors).toEqual([]);
  });
  return {
    chain,
    server,
    headers: blocks.map(({ id }) => existing(chain.block(id, id))),
    accounts: [...accounts.values()],
    send: (bytes) => connection.query(bytes, AbortSignal.timeout(30_000)),
    ask: async (query) => query.read(await connection.query(query.bytes, AbortSignal.timeout(30_000))),
    configOf: (servers) => configOf(chain, servers),
  };
}

/** A chain, to the tests of a file. */
export async function openMade(options: MadeChainOptions): Promise<LocalChain> {
  const chain = openChain(await madeChain(options));
  afterAll(() => chain.close());
  return chain;
}

/** A lite server over a chain, until the end of the test. */
export async function serve(chain: LocalChain, ...behaviours: readonly LiteBehaviour[]): Promise<LiteServer> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const server = await startFaultyLiteServer({ chain: liteChain(chain), key, behaviours });
  onTestFinished(() => server.close());
  return server;
}

export function configOf(chain: LocalChain, servers: readonly LiteServer[]): GlobalConfig {
  const zeroState = chain.genesis().block;
  const addresses = servers.map(({ host, port, publicKey }) => ({ host, port, publicKey, slices: [] }));
  return { servers: addresses, zeroState, initBlock: zeroState, hardforks: [], warnings: [] };
}

/** A client, until the end of the test, and its events. */
export function connectClient(
  config: GlobalConfig,
  options: LiteClientOptions = {},
): { readonly client: LiteClient; readonly events: readonly LiteEvent[] } {
  const events: LiteEvent[] = [];
  const client = liteClient(config, { rate: 100_000, onEvent: (event) => void events.push(event), ...options });
  onTestFinished(() => client.close());
  return { client, events };
}

export function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a value is missing");
  return value;
}

/** More than 16 rotations. */
export const SIGNED_STEPS = 37;
/** Rotations of validators with every second block; from block 9 on, signatures in the Simplex form. */
export const SIGNED = {
  seed: 6,
  accounts: 10,
  shards: 1,
  validators: 4,
  keyBlocks: 2,
  blockInterval: 1,
  rate: 1,
  consensus: 9,
} as const;
/** External messages per step of a chain with the same zero state and validators, but other blocks. */
export const FALSE_RATE = 2;
