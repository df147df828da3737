/** What is known of the run's chain, read beside the service: from the cells of its blocks, without an index. */
import { type AccountId, type ChainReader, type Message, openChain, type Transaction } from "@chain-query/local-chain";
import { inject } from "vitest";
import { accountsOf } from "./block-accounts.ts";

/** A chain and everything that happened on it. */
export interface KnownChain {
  readonly reader: ChainReader;
  /** By account, each newest first. */
  readonly histories: readonly (readonly Transaction[])[];
  /** All of them. */
  readonly transactions: readonly Transaction[];
}

/** The chain, opened for the tests of a file. */
export function openKnownChain(folder: string = inject("chain")): KnownChain {
  const reader = openChain(folder);
  const histories = accountsOf(reader)
    .map((account) => [...reader.transactions(account)])
    .filter(({ length }) => length > 0);
  return { reader, histories, transactions: histories.flat() };
}

/** The longest history of the chain. */
export function longest({ histories }: KnownChain): readonly Transaction[] {
  return histories.reduce((one, other) => (other.length > one.length ? other : one));
}

/** Messages between accounts, with the transactions that sent them. */
export function internalMessages({ transactions }: KnownChain): { message: Message; sentBy: Transaction }[] {
  return transactions.flatMap((sentBy) =>
    sentBy.outMessages.filter(({ destination }) => destination !== undefined).map((message) => ({ message, sentBy })),
  );
}

/** `workchain:hexadecimal` of an account. */
export function rawOf({ workchain, hash }: AccountId): string {
  return `${workchain}:${Buffer.from(hash).toString("hex")}`;
}
