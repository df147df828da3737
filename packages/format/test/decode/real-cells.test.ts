/** What the cells of real networks decode to, beside what is known of them from elsewhere and what another library reads. */

import { bytesOf, type RealCells, realCells } from "@chain-query/block-walker/recorded-cells";
import { Address, Cell as CoreCell, type Transaction as CoreTransaction, loadTransaction } from "@ton/core";
import { describe, expect, test } from "vitest";
import { readBoc } from "../../src/cells/boc-reader.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { CellError } from "../../src/cells/cell-reader.ts";
import { decodeAccount } from "../../src/decode/account.ts";
import { type DecodedTransaction, decodeTransaction } from "../../src/decode/transaction.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The fields that a line of the index names, and no others. */
function known({ what }: RealCells): Record<string, unknown> {
  const named = {
    account: /(?:tx -?\d+:|addr )([0-9a-f]{64})/.exec(what)?.[1],
    lt: /\blt (\d+)/.exec(what)?.[1],
    hash: /\bhash (\S{44})/.exec(what)?.[1],
    from: /in:(\S+)/.exec(what)?.[1],
    out: /out:(\d+)/.exec(what)?.[1],
    totalFees: /total_fees (\d+)/.exec(what)?.[1],
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

function told(transaction: DecodedTransaction): Record<string, unknown> {
  return {
    account: hex(transaction.accountHash),
    lt: `${transaction.id.lt}`,
    hash: base64(transaction.id.hash),
    from: transaction.inMessage?.source ? "internal" : "external-in",
    out: `${transaction.outMessages.length}`,
    totalFees: `${transaction.totalFees}`,
  };
}

describe("a cell that is none", () => {
  const nothing = new CellBuilder().uint(0, 4).cell();

  test("is refused as a transaction", () => {
    expect(() => decodeTransaction(nothing)).toThrow(CellError);
  });

  test("is an account that does not exist where it is told so by its first bit", () => {
    expect(decodeAccount(nothing)).toMatchObject({ status: "uninitialized", balance: 0n });
  });
});

const transactions = realCells("tx");
if (transactions.length > 0) {
  describe("decodeTransaction", () => {
    test.each(transactions)("tells of $file what is known of it", (cells) => {
      expect(told(decodeTransaction(readBoc(bytesOf(cells))))).toMatchObject(known(cells));
    });

    test.each(transactions)("reads the same as another library in $file", (cells) => {
      const ours = decodeTransaction(readBoc(bytesOf(cells)));
      const theirs = loadTransaction(CoreCell.fromBoc(Buffer.from(bytesOf(cells)))[0]?.beginParse() ?? expect.fail());
      expect({ ...summary(ours), messages: ours.outMessages.map(messageSummary) }).toEqual({
        ...coreSummary(theirs),
        messages: theirs.outMessages.values().map(coreMessageSummary),
      });
    });
  });
}

function summary({ id, previous, time, totalFees, storageFee, inMessage }: DecodedTransaction) {
  return {
    lt: id.lt,
    previousLt: previous.lt,
    previousHash: hex(previous.hash),
    time,
    totalFees,
    storageFee,
    in: inMessage && messageSummary(inMessage),
  };
}

function coreSummary(transaction: CoreTransaction) {
  const { description } = transaction;
  return {
    lt: transaction.lt,
    previousLt: transaction.prevTransactionLt,
    previousHash: transaction.prevTransactionHash.toString(16).padStart(64, "0"),
    time: transaction.now,
    totalFees: transaction.totalFees.coins,
    storageFee: "storagePhase" in description ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n,
    in: transaction.inMessage ? coreMessageSummary(transaction.inMessage) : undefined,
  };
}

type OurMessage = NonNullable<DecodedTransaction["inMessage"]>;
type CoreMessage = NonNullable<CoreTransaction["inMessage"]>;

function messageSummary(message: OurMessage) {
  return {
    source: message.source && `${message.source.workchain}:${hex(message.source.hash)}`,
    destination: message.destination && `${message.destination.workchain}:${hex(message.destination.hash)}`,
    value: message.value,
    forwardFee: message.forwardFee,
    createdLt: message.createdLt,
    bodyHash: hex(message.bodyHash),
    deploys: message.initState !== undefined,
  };
}

function coreMessageSummary({ info, body, init }: CoreMessage) {
  const end = (address: unknown) => (Address.isAddress(address) ? address.toRawString() : undefined);
  return {
    source: end(info.src),
    destination: end(info.dest),
    value: info.type === "internal" ? info.value.coins : 0n,
    forwardFee: info.type === "internal" ? info.forwardFee : 0n,
    createdLt: info.type === "external-in" ? 0n : info.createdLt,
    bodyHash: body.hash().toString("hex"),
    deploys: Boolean(init),
  };
}

const accounts = realCells("accounts").filter(({ what }) => what.startsWith("Account"));
if (accounts.length > 0) {
  describe("decodeAccount", () => {
    test.each(accounts)("tells of $file what is known of it", (cells) => {
      const { status, balance, code, data } = decodeAccount(readBoc(bytesOf(cells)));
      const knownBalance = /balance (\d+)/.exec(cells.what)?.[1];
      expect(status).toBe(/active|frozen|uninitialized/.exec(cells.what)?.[0]);
      expect(`${balance}`).toBe(knownBalance ?? `${balance}`);
      expect(code && data).toBeDefined();
    });
  });
}
