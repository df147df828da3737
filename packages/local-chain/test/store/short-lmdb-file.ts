/** The LMDB file of a chain that is shorter than its meta page states, and intact. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import { syntheticStore } from "../test-folders.ts";

/** Records that are written and removed in one transaction, and need new pages. */
const temporary = Array.from({ length: 150 }, (_, i) => [`temporary ${i}`, Buffer.alloc(500, i)] as const);

/** The file of a chain, as LMDB leaves it after a transaction that frees the last pages that it allocated. */
export async function shortFile(): Promise<{ readonly directory: string; readonly file: string; readonly length: number }> {
  const { directory } = await syntheticStore(4);
  const file = join(directory, "chain.mdb");
  const root = open<Uint8Array, Uint8Array>({ path: file, encoding: "binary", keyEncoding: "binary", overlappingSync: false });
  const producer = root.openDB<Uint8Array, Uint8Array>({ name: "producer", encoding: "binary", keyEncoding: "binary" });
  root.transactionSync(() => {
    for (const [name, value] of temporary) producer.putSync(Buffer.from(name), value);
    for (const [name] of temporary) producer.removeSync(Buffer.from(name));
  });
  await root.close();
  return { directory, file, length: statSync(file).size };
}
