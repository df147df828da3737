import { ProofError } from "@chain-query/client/verify";
import { base64, CellBuilder, writeBoc } from "@chain-query/format/cells";
import { accountName, type BlockId } from "@chain-query/format/identifiers";
import type { LocalChain } from "@chain-query/local-chain";
import { parseAddress } from "@chain-query/openapi/address";
import { describe, expect, test } from "vitest";
import { accountsOf, headersOf } from "../fuzz/requests.ts";
import { expectDisbelief, expectDisbeliefInLinks } from "./fixtures/lying-service.ts";
import { messagesOf, PROVED, type ProvingService, provingService } from "./fixtures/proving-service.ts";

test("none of the answers of a lying service is believed", () => expectDisbelief(1, 600));

test("no changed link moves the trust elsewhere", () => expectDisbeliefInLinks(1, 150));

interface Liar extends ProvingService {
  /** The errors of a call for each account in whose answer a text was changed. */
  errorsOf(call: (address: string) => Promise<unknown>): Promise<readonly unknown[]>;
}

/** A service that changes the first member of a name in each answer that has one. */
async function liar(name: string, value: string): Promise<Liar> {
  let changes = 0;
  const member = new RegExp(`"${name}":("[^"]+"|\\d+)`);
  const service = await provingService(PROVED, (text) =>
    text.replace(member, () => {
      changes++;
      return `"${name}":${value}`;
    }),
  );
  const errorsOf: Liar["errorsOf"] = async (call) => {
    const errors: unknown[] = [];
    for (const account of accountsOf(service.chain)) {
      const before = changes;
      const error = await call(accountName(account)).catch((thrown: unknown) => thrown);
      if (changes > before) errors.push(error);
    }
    expect(errors).not.toEqual([]);
    return errors;
  };
  return { ...service, errorsOf };
}

describe("the honest answer to another question is refused", () => {
  type Asked = readonly [honest: object, question: object];

  test.for<[name: string, operation: "tryLocateSourceTx" | "tryLocateResultTx" | "getTransactionsStd", asked: Asked]>([
    ["a message from another source", "tryLocateResultTx", [{}, { source: `0:${"1".repeat(64)}` }]],
    ["a message to another destination", "tryLocateSourceTx", [{}, { destination: `0:${"1".repeat(64)}` }]],
    ["a longer page", "getTransactionsStd", [{ limit: 100 }, { limit: 2 }]],
    ["a page beyond toLt", "getTransactionsStd", [{ limit: 3 }, { limit: 3, toLt: "1" }]],
  ])("%s", async ([, operation, [honest, question]]) => {
    let replayed: string | undefined;
    const { verified, client, chain, trust } = await provingService(PROVED, (body) => replayed ?? body);
    await trust.advance(client);
    const newest = messagesOf(chain).find(({ destination }) => historyOf(chain, destination).length > 3);
    const { destination: address } = newest ?? expect.unreachable();
    const about = operation === "getTransactionsStd" ? { address } : (newest ?? {});
    const [first] = historyOf(chain, address);
    const toLt = "toLt" in question ? { toLt: first?.id.lt } : {};
    const call = (chosen: Pick<typeof client, typeof operation>, ...given: object[]) =>
      (chosen[operation] as (...all: object[]) => ReturnType<typeof client.getTransactionsStd>)(...given);
    const { envelope } = await call(client, { ...about, ...honest }, { headers: { prefer: "proof" } }).withResponse();
    replayed = JSON.stringify(envelope);
    expect(await call(verified, { ...about, ...honest })).toEqual(envelope.result);
    await expect(call(verified, { ...about, ...question, ...toLt })).rejects.toMatchObject({ part: "transaction" });
  });
});

const historyOf = (chain: LocalChain, address: string) => [...chain.transactions(parseAddress(address))];

test("a member that the cells do not have is not in the result", async () => {
  const { verified, chain } = await provingService(PROVED, (body) =>
    body.replace('"sync_utime"', '"suspended":true,"sync_utime"'),
  );
  const [account = expect.unreachable()] = accountsOf(chain);
  const { result, envelope } = await verified.getAddressInformation({ address: accountName(account) }).withResponse();
  for (const { suspended } of [result, envelope.result]) expect(suspended).toBeUndefined();
});

test("a list with one entry more than the cells have is refused", async () => {
  const { verified } = await provingService(PROVED, (body) => body.replace('],"ext_msg', ',{}],"ext_msg'));
  await expect(verified.getOutMsgQueueSize()).rejects.toMatchObject({ part: "answer", path: "shards" });
});

test("the second block of a second is not believed to be the first one at that time", async () => {
  const made = { ...PROVED, blockInterval: 1 };
  const { chain } = await provingService(made);
  const blocks = headersOf(chain);
  const { id, time } =
    blocks.find((block) => blocks.some((before) => before.time === block.time && isNext(before.id, block.id))) ??
    expect.unreachable();
  const where = { workchain: id.workchain, shard: String(id.shard) };
  const lie = ({ block }: LocalChain): Partial<LocalChain> => ({
    block: (shard, selector) => block(shard, "time" in selector ? { seqno: id.seqno } : selector),
  });
  const { verified } = await provingService(made, undefined, {}, lie);
  expect(await verified.lookupBlock({ ...where, seqno: id.seqno })).toMatchObject({ seqno: id.seqno });
  await expect(verified.lookupBlock({ ...where, unixtime: time })).rejects.toMatchObject({ part: "block" });
});

function isNext(before: BlockId, id: BlockId): boolean {
  return before.workchain === id.workchain && before.shard === id.shard && before.seqno === id.seqno - 1;
}

describe("bags of cells are refused", () => {
  test.for(["code", "data"])("if the %s of an account is emptied", async (name) => {
    const { verified, errorsOf } = await liar(name, '""');
    for (const error of await errorsOf((address) => verified.getAddressInformation({ address }))) {
      expect(error).toMatchObject({ name: "ProofError", part: "answer", path: name });
    }
  });

  test.for(["body", "init_state"])("if the %s of a message is emptied", async (name) => {
    const { verified, errorsOf } = await liar(name, '""');
    for (const error of await errorsOf((address) => verified.getTransactionsStd({ address, limit: 4 }))) {
      expect(error).toMatchObject({ name: "ProofError", part: "answer", path: expect.stringMatching(`.msg_data.${name}$`) });
    }
  });

  test("before they are decoded: a dictionary of 33 cells has 4,294,967,296 entries", async () => {
    const { client, chain } = await provingService();
    const [input = expect.unreachable()] = messagesOf(chain);
    const { transaction_id } = await client.tryLocateResultTx(input);
    const { verified } = await liar("data", `"${hugeTransaction(BigInt(transaction_id.lt))}"`);
    await expect(verified.tryLocateResultTx(input)).rejects.toMatchObject({ name: "ProofError", part: "block" });
  });
});

/** A transaction whose fees have an amount of each other currency, all of them in one cell. */
function hugeTransaction(lt: bigint): string {
  let amounts = new CellBuilder().uint(0, 2).uint(1, 5).uint(7, 8).cell();
  for (let bit = 0; bit < 32; bit++) amounts = new CellBuilder().uint(0, 2).ref(amounts).ref(amounts).cell();
  const empty = new CellBuilder().cell();
  const transaction = new CellBuilder().uint(7, 4).bytes(new Uint8Array(32)).bigUint(lt, 64).bytes(new Uint8Array(32));
  transaction.bigUint(0n, 64).uint(0, 32).uint(0, 19).ref(new CellBuilder().uint(0, 2).cell());
  return base64(writeBoc(transaction.coins(1n).bit(true).ref(amounts).ref(empty).ref(empty).cell()));
}

test.for([
  ["an object without a text", '{"toString":1}'],
  ["lists too deep for a text", "[".repeat(60_000) + "]".repeat(60_000)],
  ["a null", "null"],
])("a ProofError refuses a value that is %s", async ([, value = ""]) => {
  const { verified } = await liar("consensus_block", value);
  await expect(verified.getConsensusBlock()).rejects.toMatchObject({ part: "answer", path: "consensus_block" });
  const { verified: ofAccounts, errorsOf } = await liar("code", value);
  for (const error of await errorsOf((address) => ofAccounts.getAddressInformation({ address }))) {
    expect(error).toBeInstanceOf(ProofError);
  }
});
