import { Address } from "@ton/core";
import { UsageError } from "../cli-options.ts";
import type { AccountId, BlockHeader, ChainReader, ShardId, Transaction } from "../domain.ts";
import { shardName } from "./words.ts";

/** Finds what people name. What is named in no known form, or is not there, is a UsageError. */

const BLOCK = /^(?:(-?\d{1,10}):)?(?:([0-9a-f]{16}):)?(\d{1,10})$/i;

/** `12` and `-1:12` name a masterchain block, `0:a000000000000000:12` one of a shard. */
export function blockNamed(chain: ChainReader, name: string): BlockHeader {
  const [, workchain = "-1", prefix, seqno] = BLOCK.exec(name) ?? [];
  if (seqno === undefined) throw new UsageError(`--block "${name}": 12, -1:12 or 0:a000000000000000:12 is accepted`);
  const shards = chain.shards().filter(({ id }) => id.workchain === Number(workchain));
  const shard = shardNamed(
    name,
    shards.map(({ id }) => id),
    prefix,
  );
  const newest = shards.find(({ id }) => id.shard === shard.shard)?.id.seqno;
  const found = chain.block(shard, { seqno: Number(seqno) });
  if (!found) throw new UsageError(`--block "${name}": there is none; those of this shard go from 1 to ${newest}`);
  return found;
}

function shardNamed(name: string, shards: readonly ShardId[], prefix: string | undefined): ShardId {
  const [only, ...others] = shards;
  const named = prefix === undefined ? only : shards.find((shard) => shardName(shard).endsWith(`:${prefix.toLowerCase()}`));
  if (named && (prefix !== undefined || others.length === 0)) return named;
  const there = shards.map(shardName).join(", ") || "of the workchains -1 and 0";
  throw new UsageError(`--block "${name}": the chain's shards are ${there}`);
}

/** An account by its raw or its user-friendly address. */
export function accountNamed(name: string): AccountId {
  const account = accountIn(name);
  if (account) return account;
  throw new UsageError(`--account "${name}": a raw address (0: and 64 hexadecimal digits) or a user-friendly one is accepted`);
}

/** The library would take any number for the workchain of a raw address. */
const RAW_OR_FRIENDLY = /^(?:(?:-1|0):[0-9a-f]{64}|[\w+/-]{48})$/i;

function accountIn(text: string): AccountId | undefined {
  if (!RAW_OR_FRIENDLY.test(text)) return undefined;
  try {
    const { workChain, hash } = Address.parse(text);
    return { workchain: workChain, hash: new Uint8Array(hash) };
  } catch {
    return undefined;
  }
}

/** A transaction by its account and its logical time, with a colon between them. */
export function transactionNamed(chain: ChainReader, name: string): Transaction {
  const end = name.lastIndexOf(":");
  const lt = name.slice(end + 1);
  const account = /^\d{1,20}$/.test(lt) ? accountIn(name.slice(0, Math.max(0, end))) : undefined;
  if (!account) throw new UsageError(`--transaction "${name}": an account's address, a colon and a logical time is accepted`);
  const found = chain.transaction(account, BigInt(lt));
  if (!found) throw new UsageError(`--transaction "${name}": the account has no transaction of that logical time`);
  return found;
}
