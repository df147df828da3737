/** An archive that has fewer blocks than the other databases, which lack old history: all dropped blocks, or not even these. */
import { openChain } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { Databases, dropHistory, headPosition } from "@chain-query/postgres-store";
import { sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountsOf } from "../../fuzz/requests.ts";
import { SourceError } from "../../src/chain-source.ts";
import { newestTips } from "../../src/sources/newest-tips.ts";
import { postgresSource } from "../../src/sources/postgres.ts";
import { ServedHead } from "../../src/sources/served-head.ts";
import { indexedDatabase } from "./indexed-chain.ts";

type Source = ReturnType<typeof postgresSource>;

const { signal } = new AbortController();
const day = 86_400;
/** A chain, the last block of the archive that lacks some, and the last block that was dropped elsewhere. */
interface ArchivePlan {
  readonly chain: MadeChainOptions;
  readonly archived: number;
  readonly dropped: number;
}

let whole: Source;
/** A source with an archive that lacks some of the dropped blocks. */
let lagging: Source;
/** A source with an archive that has all dropped blocks, and no other ones. */
let exact: Source;
/** URL of the database that lacks old history. */
let recent: string;

async function openSources({ chain, archived, dropped }: ArchivePlan): Promise<void> {
  const server = await sharedPostgres();
  const indexed = (last: number): Promise<string> => indexedDatabase(server, chain, { last, partition: dropped + 1 });
  const all = await indexed(chain.steps);
  const [some, old, other] = await Promise.all([indexed(archived), indexed(dropped), indexed(chain.steps)]);
  recent = other;
  await dropHistory({ url: recent }, { beforeStep: dropped + 1 });
  whole = await sourceOf(all, undefined);
  lagging = await sourceOf(recent, some);
  exact = await sourceOf(recent, old);
}

async function sourceOf(primary: string, archive: string | undefined): Promise<Source> {
  const set = { primary: { url: primary }, replicas: [], archive: archive === undefined ? undefined : { url: archive } };
  const databases = new Databases(set);
  const indexedChain = await databases.primary.reader.chain();
  const tips = newestTips(headPosition);
  const served = new ServedHead(databases, tips);
  await databases.start(async () => served.polled());
  return postgresSource({ databases, served, chain: indexedChain, retention: day, close: () => databases.close() });
}

const unavailable = { name: "SourceError", kind: "unavailable", message: "the archive of this service lacks blocks" };

/** Reads of accounts and their messages, each with the newest block that it needs. */
async function* questions({ chain, archived }: ArchivePlan) {
  const reader = openChain(await madeChain(chain));
  const head = await whole.head(signal);
  const accounts = accountsOf(reader);
  const stepOf = new Map(
    accounts.flatMap((account) => [...reader.transactions(account)].map((one) => [nameOf(one), one.masterchainSeqno] as const)),
  );
  for (const account of accounts) {
    for (const seqno of [archived - 1, archived + 2, chain.steps])
      yield { seqno, ask: (source: Source) => source.account(account, seqno, signal) };
    const transactions = [...reader.transactions(account)];
    yield {
      seqno: transactions[0]?.masterchainSeqno ?? 0,
      ask: async (source: Source) => (await source.newestTransactions(account, 1, head, true, signal))?.transactions ?? [],
    };
    for (const { outMessages } of transactions) {
      const [message] = outMessages;
      if (!message?.source || !message.destination) continue;
      const key = { source: message.source, destination: message.destination, createdLt: message.createdLt };
      for (const ask of [
        (source: Source) => source.findSender(key, signal),
        (source: Source) => source.findReceiver(key, signal),
      ]) {
        const found = await ask(whole);
        yield { seqno: (found && stepOf.get(nameOf(found))) ?? 0, ask };
      }
    }
  }
  await reader.close();
}

export function testArchive(plan: ArchivePlan): void {
  const { chain, dropped } = plan;
  beforeAll(() => openSources(plan));
  afterAll(async () => {
    for (const source of [whole, lagging, exact]) await source?.close?.();
  });

  test("returns only data that it has: never an older state, an older page or no message", async () => {
    const counts = { answered: 0, refused: 0 };
    for await (const { seqno, ask } of questions(plan)) {
      const [right, found] = await Promise.all([whole, lagging].map((source) => answerOf(source, ask)));
      if (found instanceof Error) {
        expect(found).toMatchObject(unavailable);
        expect(seqno).toBeLessThanOrEqual(dropped);
      } else expect(found).toEqual(right);
      counts[found instanceof Error ? "refused" : "answered"]++;
    }
    expect(counts.answered).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  });

  test("returns everything with an archive of the dropped history", async () => {
    let fromArchive = 0;
    for await (const { seqno, ask } of questions(plan)) {
      const [right, found] = await Promise.all([whole, exact].map((source) => answerOf(source, ask)));
      expect(found).toEqual(right);
      if (seqno <= dropped) fromArchive += 1;
    }
    expect(fromArchive).toBeGreaterThan(0);
  });

  test("dropped history does not count as a failure of the database", async () => {
    const failures: boolean[] = [];
    const databases = new Databases(
      { primary: { url: recent }, replicas: [] },
      { onRead: (_name, _seconds, hasFailed) => failures.push(hasFailed) },
    );
    const { reader } = databases.primary;
    const account = { workchain: 0, hash: new Uint8Array(32) };
    for (const [seqno, kind] of [[dropped, "dropped"] as const, [chain.steps + 1, "behind"] as const])
      await expect(reader.account(account, seqno)).rejects.toMatchObject({ kind });
    // The account, its dropped history, and the account as of a step that does not exist.
    expect(failures).toEqual([false, false, true]);
    await databases.close();
  });
}

function nameOf({ id }: { readonly id: { readonly hash: Uint8Array } }): string {
  return Buffer.from(id.hash).toString("hex");
}

/** Repeats a read that a busy machine did not answer in time. */
async function answerOf(source: Source, read: (source: Source) => unknown, tries = 3): Promise<unknown> {
  try {
    return await read(source);
  } catch (error) {
    const isLate = error instanceof SourceError && (error.kind === "slow" || error.message.startsWith("the database"));
    return isLate && tries > 1 ? answerOf(source, read, tries - 1) : error;
  }
}
