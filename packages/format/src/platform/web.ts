/** SHA-2 and texts of bytes in browsers and workers, see `node.ts`. */
export { sha256 } from "./sha256.ts";

export function toBinaryString(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function hex(bytes: Uint8Array = new Uint8Array()): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function base64(bytes: Uint8Array = new Uint8Array()): string {
  return btoa(toBinaryString(bytes));
}

export function allocatePooled(size: number): Uint8Array {
  return new Uint8Array(size);
}
