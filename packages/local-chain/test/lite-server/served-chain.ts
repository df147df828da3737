import type { AccountId, BlockHeader } from "@chain-query/chain-store";
import { type Connection, connect } from "@chain-query/lite-client/adnl";
import type { LiteQuery } from "@chain-query/lite-client/tl";
import { type LiteServer, startLiteServer } from "@chain-query/lite-server";
import type { ChainReader } from "../../src/domain.ts";
import { chainSteps } from "../../src/index.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { liteChain } from "../../src/reading/lite-chain.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import { collected } from "../reading/step-records.ts";

/** A chain behind a lite server, with a connection to it. */
export interface ServedChain {
  readonly chain: ChainReader;
  readonly server: LiteServer;
  /** Every block but the zero states. */
  readonly headers: readonly BlockHeader[];
  /** Every account that has a transaction. */
  readonly accounts: readonly AccountId[];
  /** What the server did not expect. */
  readonly errors: readonly unknown[];
  ask<Answer>(query: LiteQuery<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

/** Some days of four shards, with accounts that froze or left. */
export async function serveChain(steps = 40): Promise<ServedChain> {
  const options = { seed: 3, accounts: 100, rate: 60, blockInterval: 86_400, shards: 4, transactionLimit: 30 } as const;
  const directory = await madeChain({ ...options, steps });
  const chain = openChain(directory);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const server = await startLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(7), onError });
  const connection: Connection = await connect(server);
  const source = chainSteps(directory);
  const produced = await collected(source.steps({ from: 1, to: steps }, new AbortController().signal));
  await source.close();
  const blocks = produced.flatMap(({ shards, masterchain }) => [...shards, masterchain]);
  const accounts = new Map(
    blocks.flatMap(({ transactions }) =>
      transactions.map(({ account }) => [JSON.stringify([account.workchain, hex(account.hash)]), account]),
    ),
  );
  return {
    chain,
    server,
    headers: blocks.map(({ id }) => existing(chain.block(id, id))),
    accounts: [...accounts.values()],
    errors,
    ask: async (query) => query.read(await connection.query(query.bytes, AbortSignal.timeout(30_000))),
    close: async () => {
      connection.close();
      await server.close();
      await chain.close();
    },
  };
}

export function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a value is missing");
  return value;
}

export function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("hex");
}
