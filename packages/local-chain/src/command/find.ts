import type { AccountId, BlockHeader, ShardId, Transaction } from "@chain-query/chain-store";
import { CommandLineError } from "@chain-query/command-line";
import { shardName } from "@chain-query/format/identifiers";
import { readAddress } from "@chain-query/openapi/address";
import type { ChainReader } from "../domain.ts";

const BLOCK = /^(?:(-?\d{1,10}):)?(?:([0-9a-f]{16}):)?(\d{1,10})$/i;

/** Finds a block: `12` and `-1:12` name one of the masterchain, `0:a000000000000000:12` one of a shard. */
export function findBlock(chain: ChainReader, name: string): BlockHeader {
  const [, workchain = "-1", prefix, seqno] = BLOCK.exec(name) ?? [];
  if (seqno === undefined) throw refusal("block", name, "12, -1:12 or 0:a000000000000000:12");
  const shards = chain.shards().filter(({ id }) => id.workchain === Number(workchain));
  const shard = findShard(
    name,
    shards.map(({ id }) => id),
    prefix,
  );
  const newest = shards.find(({ id }) => id.shard === shard.shard)?.id.seqno;
  const found = chain.block(shard, { seqno: Number(seqno) });
  if (!found) throw refusal("block", name, `a block of this shard, from 1 to ${newest}`);
  return found;
}

function findShard(name: string, shards: readonly ShardId[], prefix: string | undefined): ShardId {
  const [only, ...others] = shards;
  const named = prefix === undefined ? only : shards.find((shard) => shardName(shard).endsWith(`:${prefix.toLowerCase()}`));
  if (named && (prefix !== undefined || others.length === 0)) return named;
  throw refusal("block", name, `a block of ${shards.map(shardName).join(", ") || "the workchains -1 and 0"}`);
}

/** Parses an address in raw or user-friendly form. */
export function parseAccount(name: string): AccountId {
  const found = readAddress(name);
  if (typeof found === "string") throw refusal("account", name, addressForms, ` (${found})`);
  return { workchain: found.workchain, hash: found.hash };
}

const addressForms = "workchain:64 hexadecimal digits or 48 characters of base64";

/** Finds a transaction by its account and logical time, separated by a colon. */
export function findTransaction(chain: ChainReader, name: string): Transaction {
  const end = name.lastIndexOf(":");
  const lt = name.slice(end + 1);
  const account = /^\d{1,20}$/.test(lt) ? readAddress(name.slice(0, Math.max(0, end))) : undefined;
  if (typeof account !== "object") throw refusal("transaction", name, "an address, a colon and a logical time");
  const found = chain.transaction(account, BigInt(lt));
  if (!found) throw refusal("transaction", name, "the logical time of a transaction of this account");
  return found;
}

function refusal(option: string, name: string, accepted: string, reason = ""): CommandLineError {
  return new CommandLineError([`--${option}: expected ${accepted}, got ${JSON.stringify(name)}${reason}`]);
}
