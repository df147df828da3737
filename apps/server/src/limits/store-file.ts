/**
 * A look at the file of an embedded store before the engine opens it. The engine maps the file into memory and believes what it says of
 * itself; one that is cut off would end the process.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";

/** Offsets in each of the two pages that a file begins with; the one of the later transaction counts. */
const page = { magic: 24, size: 48, lastUsed: 144, transaction: 152, end: 160 } as const;
const magic = 0xbeefc0de;

/** Whether a file is a whole store. */
export function isWholeStore(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const at = (position: number): Buffer => {
      const bytes = Buffer.alloc(page.end);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, page.end, position));
    };
    const first = at(0);
    if (!isPage(first)) return false;
    const second = at(first.readUInt32LE(page.size));
    if (!isPage(second)) return false;
    const newest = first.readBigUInt64LE(page.transaction) > second.readBigUInt64LE(page.transaction) ? first : second;
    const needed = (newest.readBigUInt64LE(page.lastUsed) + 1n) * BigInt(newest.readUInt32LE(page.size));
    return BigInt(statSync(file).size) >= needed;
  } finally {
    closeSync(descriptor);
  }
}

function isPage(bytes: Buffer): boolean {
  return bytes.length === page.end && bytes.readUInt32LE(page.magic) === magic;
}
