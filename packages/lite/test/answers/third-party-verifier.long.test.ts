import { hex, readBocRoots } from "@chain-query/format/cells";
import { type AccountId, accountName, MASTERCHAIN } from "@chain-query/format/identifiers";
import type { LocalChain } from "@chain-query/local-chain";
import { BUSY } from "@chain-query/testing/chains";
import type { Account, TonClient } from "ton-net";
import { describe, expect, test } from "vitest";
import { formatGlobalConfig, type LiteServer } from "../../src/answers/server.ts";
import { falseSignatures } from "../../src/faults/false-signatures.ts";
import { existing, serve, serveChain } from "../served-chain.ts";

/** Undefined where its binary does not run. */
const tonNet = await import("ton-net").catch(() => undefined);
const suite = tonNet ? "ton-net" : `ton-net (no binary that runs on ${process.platform} ${process.arch})`;

/** Half of the validators change with every second block. Shards split and merge. */
const OPTIONS = { ...BUSY, accounts: 50, rate: 10, validators: 4, keyBlocks: 2 } as const;
/** More links than an answer has. */
const STEPS = 37;
/** The first block in the Simplex form. */
const SWITCH = 9;

const forms = [
  ["in the ordinary form", await serveChain(STEPS, { ...OPTIONS, consensus: "ordinary" })],
  ["across the switch to the Simplex form", await serveChain(STEPS, { ...OPTIONS, consensus: SWITCH })],
] as const;

/** A client that trusts the first key block: unlike ours, it cannot begin at a zero state. */
async function connect(server: LiteServer, chain: LocalChain): Promise<TonClient> {
  const { Config, TonClient } = existing(tonNet);
  const { id } = existing(chain.block(MASTERCHAIN, { seqno: OPTIONS.keyBlocks }));
  const config = server.config();
  const init_block = {
    ...config.validator.zero_state,
    seqno: id.seqno,
    root_hash: Buffer.from(id.rootHash).toString("base64"),
    file_hash: Buffer.from(id.fileHash).toString("base64"),
  };
  const file = formatGlobalConfig({ ...config, validator: { ...config.validator, init_block } });
  // The age of a block is measured with the clock, and made chains are old.
  return await TonClient.connect(Config.fromJson(file).withMaxHeadAge(2 ** 32 - 1));
}

function expectEqual(read: Account, chain: LocalChain, account: AccountId): void {
  const expected = existing(chain.account(account));
  const status = { nonexistent: "uninitialized", uninit: "uninitialized" }[read.status] ?? read.status;
  expect([status, read.balance]).toEqual([expected.status, `${expected.balance}`]);
  const boc = (bytes: Uint8Array | undefined) => bytes && readBocRoots(bytes).map(({ hash }) => hex(hash));
  expect([boc(read.code), boc(read.data)]).toEqual([boc(expected.code), boc(expected.data)]);
}

describe.skipIf(!tonNet)(suite, () => {
  test.each(forms)("follows signatures from a key block to the head and verifies accounts there, %s", async (_, served) => {
    const { chain, server, accounts } = served;
    const client = await connect(server, chain);
    const { head, links, rounds } = await client.sync();
    const { block } = chain.head();
    expect([head.seqno, hex(head.rootHash), hex(head.fileHash)]).toEqual([
      STEPS,
      hex(block.id.rootHash),
      hex(block.id.fileHash),
    ]);
    expect([links, rounds]).toEqual([18, 2]);
    const statuses = new Set<string>();
    for (const account of [...accounts, { workchain: 0, hash: new Uint8Array(32) }]) {
      const { value } = await client.accountAt(accountName(account), head);
      expectEqual(value, chain, account);
      statuses.add(value.status);
    }
    expect([...statuses].sort()).toEqual(["active", "frozen", "nonexistent", "uninit"]);
  });

  test.each(forms)("refuses false signatures %s", async (_, { chain }) => {
    const refusals: Record<string, string> = {};
    for (const { name, behaviour } of falseSignatures(chain, SWITCH)) {
      refusals[name] = await refusal((await connect(await serve(chain, behaviour), chain)).sync());
    }
    expect(Object.keys(refusals)).toHaveLength(chain.signers(SWITCH)?.form === "simplex" ? 9 : 6);
    expect(new Set(Object.values(refusals))).toEqual(new Set(["SYNC"]));
  });
});

/** The code of the error with which a promise rejects. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => "accepted",
    (error: Error) => error.message.split(":", 1)[0] ?? "",
  );
}
