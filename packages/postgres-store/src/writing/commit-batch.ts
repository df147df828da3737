import { setTimeout } from "node:timers/promises";
import type { Queryable } from "../client.ts";
import { codeOf, isRetryable } from "../store-error.ts";
import { PostgresStoreError } from "../types.ts";
import { copyRows, encodeCopy, findDifferent, insertRows, MAX_PREPARED_ROWS } from "./copy.ts";
import { type Batch, TABLES } from "./encode-steps.ts";

/** A batch whose bytes are ready, so that no work is done while a transaction is open. */
export interface EncodedBatch {
  readonly batch: Batch;
  readonly copies: readonly (readonly [table: CopiedTable, bytes: Buffer])[];
}
type CopiedTable = Exclude<keyof Batch, "cells">;
const COPIED: readonly CopiedTable[] = ["transactions", "versions", "blocks"];

export function encodeBatch(batch: Batch): EncodedBatch {
  const filled = COPIED.filter((table) => batch[table].length > 0);
  return { batch, copies: filled.map((table) => [table, encodeCopy(TABLES[table], batch[table])] as const) };
}

/**
 * Sends what needs no answer at once, then one COPY after another.
 *
 * @param isRepeated - Whether some of the rows may be there already: then they are compared.
 */
export async function writeBatch(sql: Queryable, { batch, copies }: EncodedBatch, isRepeated: boolean): Promise<void> {
  const isInserted = (name: CopiedTable): boolean => isRepeated || batch[name].length <= MAX_PREPARED_ROWS;
  const copyAll = async (): Promise<void> => {
    for (const [name, bytes] of copies) if (!isInserted(name)) await copyRows(sql, TABLES[name], bytes);
  };
  await allInOrder([
    insertRows(sql, TABLES.cells, batch.cells),
    ...copies.filter(([name]) => isInserted(name)).map(([name]) => insertNew(sql, name, batch[name], isRepeated)),
    copyAll(),
  ]);
}

async function insertNew(sql: Queryable, name: CopiedTable, rows: Batch[CopiedTable], isRepeated: boolean): Promise<void> {
  const table = TABLES[name];
  if ((await insertRows(sql, table, rows)) === rows.length) return;
  // Not compared here: a COPY may have begun.
  if (!isRepeated) throw new RepeatedRowsError(`table ${table.name} has some of the rows already`);
  const different = await findDifferent(sql, table, rows);
  if (different)
    throw new PostgresStoreError("damaged", `table ${table.name} has another row ${keyText(different, table.keyLength)}`);
}

/** Waits for statements that were sent together. Of several errors, that of the first one is the cause of the others. */
async function allInOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(sent)) if (result.status === "rejected") throw result.reason;
}

function keyText(row: Batch[CopiedTable][number], keyLength: number): string {
  return row
    .slice(0, keyLength)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : `${value}`))
    .join(" ");
}

const TRIES = 5;
const FIRST_WAIT_MS = 50;

/**
 * Commits, and tries again after errors that may pass.
 *
 * @param isCommitted - Asked before another try, since a lost connection may have committed.
 */
export async function commitWithRetries(
  commit: (isRepeated: boolean) => Promise<unknown>,
  isCommitted: () => Promise<boolean>,
): Promise<void> {
  let isRepeated = false;
  for (let tries = 1; ; tries++) {
    try {
      if (tries > 1 && (await isCommitted())) return;
      await commit(isRepeated);
      return;
    } catch (cause) {
      const isConflict = !isRepeated && codeOf(cause) === UNIQUE_VIOLATION;
      if (tries === TRIES || !(isConflict || isRetryable(cause))) throw cause;
      isRepeated = true;
      if (!isConflict) await setTimeout(FIRST_WAIT_MS * 2 ** tries);
    }
  }
}

const UNIQUE_VIOLATION = "23505";

/** Has the code that PostgreSQL's error of a COPY has. */
class RepeatedRowsError extends Error {
  override readonly name = "RepeatedRowsError";
  readonly code = UNIQUE_VIOLATION;
}
