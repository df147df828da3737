import { rmSync } from "node:fs";
import type { AccountId, BlockHeader } from "@chain-query/chain-store";
import { type Connection, connect } from "@chain-query/lite-client/adnl";
import type { LiteQuery } from "@chain-query/lite-client/tl";
import { type LiteServer, startLiteServer } from "@chain-query/lite-server";
import type { ChainReader } from "../../src/domain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { liteChain } from "../../src/reading/lite-chain.ts";
import { blocksOf, producedChain } from "../production/produced-chain.ts";

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
  const produced = await producedChain(options, steps);
  const chain = openChain(produced.directory);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const server = await startLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(7), onError });
  const connection: Connection = await connect(server);
  const blocks = blocksOf(produced);
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
      rmSync(produced.directory, { recursive: true, force: true });
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
