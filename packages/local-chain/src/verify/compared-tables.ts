import { CellError, hex, isEqual } from "@chain-query/format/cells";
import { OperationalError } from "@chain-query/format/error";
import { accountName } from "@chain-query/format/identifiers";
import { ACCOUNT_BYTES, accountOf, ChainStoreError, type Checks, storeChecks } from "@chain-query/format/store";
import { traceRecord } from "../store/records.ts";
import { isLmdbError } from "../store/store-error.ts";
import { countOf, type StepTable, type StepTables, type Tables } from "../store/tables.ts";

/** The first record that `verify` found to be wrong, in one line. */
export class ChainFault extends OperationalError {
  override readonly name = "ChainFault";
}

const checks = storeChecks((problem) => new ChainFault(problem));
export const must: Checks["must"] = checks.must;
export const mustEqual: Checks["mustEqual"] = checks.mustEqual;

const UNREADABLE = [CellError, ChainStoreError, RangeError, SyntaxError];

/** Runs a check. Errors of reading damaged bytes become a ChainFault with the name of the object. */
export function naming<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (!isLmdbError(cause) && !UNREADABLE.some((kind) => cause instanceof kind)) throw cause;
    throw new ChainFault(`${what} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

const COMPARED = [
  "transactions",
  "versions",
  "blocks",
  "blockData",
  "states",
  "blocksByLt",
  "blocksByTime",
  "messages",
] as const;

/** Tables that compare what is put into them with the stored records. */
interface ComparedTables {
  readonly tables: StepTables;
  /** Compares the messages that wait, and the numbers of records, after all steps. */
  finish(): void;
}

export function comparedTables(stored: Tables): ComparedTables {
  const counts = new Map<string, number>();
  const accounts = new Set<string>();
  const waiting = new Map<string, Uint8Array>();

  const compare = (name: keyof StepTables, key: Uint8Array, value: Uint8Array): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const record = stored[name].get(key);
    must(record !== undefined, () => `${nameOf(name, key)} is missing`);
    must(isEqual(record, value), () => `${nameOf(name, key)} is not what the blocks state`);
  };
  const compared = COMPARED.map((name) => [name, table((key, value) => compare(name, key, value))] as const);
  const tables: StepTables = {
    ...(Object.fromEntries(compared) as Record<(typeof COMPARED)[number], StepTable>),
    cells: table((key, value) => compare("cells", key, value)),
    producer: table(() => {}),
    // Bags of cells as the virtual machine wrote them, which are compared with the newest versions.
    accounts: table((key) => accounts.add(idOf(key))),
    messages: {
      ...table((key, value) => {
        waiting.set(idOf(key), value);
        if (traceRecord.decode(value).consumerLt !== undefined && waiting.delete(idOf(key))) compare("messages", key, value);
      }),
      get: (key) => waiting.get(idOf(key)),
    },
  };
  const finish = (): void => {
    for (const [id, value] of waiting) compare("messages", Buffer.from(id, "latin1"), value);
    counts.set("accounts", accounts.size);
    for (const name of [...COMPARED, "accounts"] as const)
      mustEqual(countOf(stored[name]), counts.get(name) ?? 0, () => `the number of records in the table ${name}`);
  };
  return { tables, finish };
}

function table(putSync: StepTable["putSync"]): StepTable {
  return { get: () => undefined, doesExist: () => false, removeSync: () => {}, putSync };
}

function idOf(key: Uint8Array): string {
  return Buffer.from(key).toString("latin1");
}

function nameOf(table: keyof StepTables, bytes: Uint8Array): string {
  const key = Buffer.from(bytes);
  const accountAt = (at: number) => `account ${accountName(accountOf(key.subarray(at)))}`;
  if (table === "transactions") return `transaction ${key.readBigUInt64BE(ACCOUNT_BYTES)} of ${accountAt(0)}`;
  if (table === "versions") return `${accountAt(0)} as of masterchain block ${key.readUInt32BE(ACCOUNT_BYTES)}`;
  if (table === "messages")
    return `message ${key.readBigUInt64BE(2 * ACCOUNT_BYTES)} from ${accountAt(0)} to ${accountAt(ACCOUNT_BYTES)}`;
  return `the record ${hex(key)} in the table ${table}`;
}
