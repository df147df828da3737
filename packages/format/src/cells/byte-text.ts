/**
 * Bytes as a text with one character for each (its code is the byte). What is kept a hundred thousand times is kept so: a hash of
 * 32 bytes takes about 60 bytes as a text, and 400 as a Uint8Array.
 */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** The bytes of a text, from one position to another. */
export function bytesOfText(text: string, from = 0, to: number = text.length): Uint8Array {
  const bytes = new Uint8Array(to - from);
  for (let i = from; i < to; i++) bytes[i - from] = text.charCodeAt(i);
  return bytes;
}
