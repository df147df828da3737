import { ProofError } from "@chain-query/client/verify";
import { base64, CellBuilder, writeBoc } from "@chain-query/format/cells";
import { accountName } from "@chain-query/format/identifiers";
import { describe, expect, test } from "vitest";
import { accountsOf } from "../fuzz/requests.ts";
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
