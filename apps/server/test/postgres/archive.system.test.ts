/** An archive that has fewer blocks than the other databases, which lack old history. */
import { join } from "node:path";
import { chainSteps, createChain, openChain, openProducer } from "@chain-query/local-chain";
import { dropHistory, type IndexHead, openPostgresReader } from "@chain-query/postgres-store";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountsOf } from "../../bench/requests.ts";
import { SourceError } from "../../src/chain-source.ts";
import { newestHeads } from "../../src/sources/newest-heads.ts";
import { postgresSource } from "../../src/sources/postgres.ts";
import { Databases } from "../../src/sources/postgres-databases.ts";
import { ServedHead } from "../../src/sources/served-head.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { indexOf } from "./index-of-chain.ts";

type Source = ReturnType<typeof postgresSource>;

const folder = temporaryFolder();
const chain = join(folder.path, "chain");
const day = 86_400;
const [steps, archived, dropped] = [14, 6, 10];
let server: PostgresServer;
let whole: Source;
let lagging: Source;

beforeAll(async () => {
  await createChain(chain, { seed: 3, accounts: 60, rate: 30, blockInterval: day });
  const producer = await openProducer(chain);
  await producer.steps(Array.from({ length: steps }, () => ({})));
  await producer.close();
  server = await startPostgres();
  const [all, recent, archive] = await Promise.all([indexed(), indexed(), indexed(archived)]);
  await dropHistory({ url: recent }, { beforeStep: dropped + 1 });
  whole = await sourceOf(all, undefined);
  lagging = await sourceOf(recent, archive);
});
afterAll(async () => {
  await whole?.close?.();
  await lagging?.close?.();
  await server?.stop();
  folder[Symbol.dispose]();
});

async function indexed(last?: number): Promise<string> {
  await using index = await indexOf(chainSteps(chain), await server.createDatabase(), last, dropped + 1);
  return index.url;
}

async function sourceOf(primary: string, archive: string | undefined): Promise<Source> {
  const open = (name: string, url: string) => ({ name, reader: openPostgresReader({ url }) });
  const set = {
    primary: open("primary", primary),
    replicas: [],
    archive: archive === undefined ? undefined : open("archive", archive),
  };
  const indexedChain = await set.primary.reader.chain();
  const databases = new Databases(set, { onChange: () => {} });
  const heads = newestHeads<IndexHead>(({ block }) => block.id.seqno);
  const served = new ServedHead(databases, heads, undefined);
  await databases.start(() => served.polled());
  return postgresSource({ databases, served, chain: indexedChain, retention: day, close: () => databases.close() });
}

const unavailable = { name: "SourceError", kind: "unavailable", message: "the archive of this service lacks blocks" };

test("answers what it has, and nothing else: never an older state, page or no message", async () => {
  const reader = openChain(chain);
  const head = await whole.head();
  const counts = { answered: 0, refused: 0 };
  const compare = async (read: (source: Source) => unknown) => {
    const [right, found] = await Promise.all([whole, lagging].map((source) => answerOf(source, read)));
    if (found instanceof Error) expect(found).toMatchObject(unavailable);
    else expect(found).toEqual(right);
    counts[found instanceof Error ? "refused" : "answered"]++;
  };
  for (const account of accountsOf(reader)) {
    for (const seqno of [archived - 1, archived + 2, steps]) await compare((source) => source.account(account, seqno));
    await compare((source) => source.newestTransactions?.(account, 1, head, true));
    for (const { outMessages } of reader.transactions(account)) {
      const [message] = outMessages;
      if (!message?.source || !message.destination) continue;
      const key = { source: message.source, destination: message.destination, createdLt: message.createdLt };
      await compare((source) => source.findSender(key));
      await compare((source) => source.findReceiver(key));
    }
  }
  expect(counts.answered).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(0);
  await reader.close();
});

/** What a busy machine did not answer in time is asked again. */
async function answerOf(source: Source, read: (source: Source) => unknown, tries = 3): Promise<unknown> {
  try {
    return await read(source);
  } catch (error) {
    const isLate = error instanceof SourceError && (error.kind === "slow" || error.message.startsWith("the database"));
    return isLate && tries > 1 ? answerOf(source, read, tries - 1) : error;
  }
}
