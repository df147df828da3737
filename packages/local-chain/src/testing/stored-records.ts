import { chainFileToRead } from "../store/chain-folder.ts";
import { openTables } from "../store/tables.ts";

/**
 * Reads the records of a table as they are stored.
 *
 * @returns Key and record in hexadecimal digits, by key.
 *
 * @example
 * const records = await storedRecords("my-chain", "transactions");
 */
export async function storedRecords(
  directory: string,
  table: "transactions" | "versions" | "blocks",
): Promise<ReadonlyMap<string, string>> {
  const tables = openTables(chainFileToRead(directory), "read");
  try {
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
    return new Map(Array.from(tables[table].getRange(), ({ key, value }) => [hex(key), hex(value)]));
  } finally {
    await tables.root.close();
  }
}
