/** Addresses of accounts, in the two forms that a request may have. */

/** The raw form in capitals of an address in either form; undefined where it is neither. */
export function rawAddressOf(text: string): string | undefined {
  if (/^-?\d{1,10}:[0-9A-Fa-f]{64}$/.test(text)) return text.toUpperCase();
  if (!/^[A-Za-z0-9+/_-]{48}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  if (crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) return undefined;
  return `${bytes.readInt8(1)}:${bytes.toString("hex", 2, 34).toUpperCase()}`;
}

/** The bounceable user-friendly form in the URL-safe alphabet. */
export function friendlyAddressOf(workchain: number, account: Uint8Array): string {
  const bytes = Buffer.alloc(36);
  bytes[0] = 0x11;
  bytes.writeInt8(workchain, 1);
  bytes.set(account, 2);
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34);
  return bytes.toString("base64url");
}

/** The accounts that a shard holds, as the bits that all of them begin with. */
export function prefixOf(shard: string): string {
  return BigInt.asUintN(64, BigInt(shard)).toString(2).padStart(64, "0").replace(/10*$/, "");
}

/** The shard that holds one account alone, which stands for whichever shard holds it. */
export function shardOf(raw: string): string {
  const [, account = ""] = raw.split(":");
  return String(BigInt.asIntN(64, (BigInt(`0x${account.slice(0, 15)}`) << 4n) | 8n));
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
