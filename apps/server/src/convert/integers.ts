/** Integers of 64 and 32 bits as requests write them (D-11, D-43, D-46). The schemas bound their digits, not their values. */
import { Refusal } from "../failure.ts";

const greatest = 2n ** 63n - 1n;
const least = -(2n ** 63n);

/** A logical time, from 0 to 2^63 - 1. @throws Refusal beyond. */
export function logicalTimeIn(text: string | number, member: string): bigint {
  return inRange(text, member, 0n, greatest);
}

/** A shard, from -2^63 to 2^63 - 1. @throws Refusal beyond. */
export function shardIn(text: string | number, member: string): bigint {
  return inRange(text, member, least, greatest);
}

/** A number of a block, from 1 to 2^32 - 1. @throws Refusal beyond. */
export function seqnoIn(text: string | number, member: string): number {
  return Number(inRange(text, member, 1n, 2n ** 32n - 1n));
}

/** Unix seconds, from 0 to 2^32 - 1. @throws Refusal beyond. */
export function timeIn(text: string | number, member: string): number {
  return Number(inRange(text, member, 0n, 2n ** 32n - 1n));
}

/** A workchain, a signed integer of 32 bits. @throws Refusal beyond. */
export function workchainIn(text: string | number, member: string): number {
  return Number(inRange(text, member, -(2n ** 31n), 2n ** 31n - 1n));
}

function inRange(text: string | number, member: string, from: bigint, to: bigint): bigint {
  const value = BigInt(text);
  if (value >= from && value <= to) return value;
  throw new Refusal(422, `${member}: ${value} is out of range; an integer from ${from} to ${to} is accepted`);
}
