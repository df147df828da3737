/** Every error of the service side says whether to try again, whether the user can act on it, and which status it causes. */

import { CellError, PrunedCellError } from "@chain-query/format/cells";
import { OperationalError } from "@chain-query/format/error";
import { ChainReadError, ChainStoreError } from "@chain-query/format/store";
import { ConfigError, LiteError } from "@chain-query/lite";
import { ChainFault, ChainOptionError } from "@chain-query/local-chain";
import { DroppedHistoryError, PostgresStoreError } from "@chain-query/postgres-store";
import { describe, expect, test } from "vitest";
import { readError } from "../src/decorate.ts";
import { HttpError, StartError } from "../src/failure.ts";

type Answers = readonly [error: OperationalError, status: number, ...("again" | "user")[]];

const postgres = (kind: PostgresStoreError["kind"]): PostgresStoreError => new PostgresStoreError(kind, `secret ${kind}`);
const lite = (kind: LiteError["kind"], code?: number): LiteError => new LiteError(kind, `secret ${kind} ${code}`, { code });

const table: readonly Answers[] = [
  [new CellError("a"), 500],
  [new PrunedCellError("a"), 500],
  [new ChainStoreError("a"), 500, "user"],
  [new ChainFault("a"), 500],
  [new ChainOptionError("a"), 500, "user"],
  [new ConfigError("a"), 500, "user"],
  [postgres("unreachable"), 542, "again", "user"],
  [postgres("refused"), 542, "user"],
  [postgres("slow"), 504, "again", "user"],
  [postgres("behind"), 504, "again", "user"],
  [postgres("busy"), 542, "again", "user"],
  [postgres("lost"), 542, "again", "user"],
  [postgres("full"), 542, "again", "user"],
  [postgres("other-chain"), 542, "user"],
  [postgres("schema"), 542, "user"],
  [postgres("damaged"), 500, "user"],
  [new DroppedHistoryError(1, 2n), 500, "user"],
  [lite("unavailable"), 542, "again"],
  [lite("timeout"), 504, "again"],
  [lite("refused", -400), 500],
  [lite("refused", 621), 500],
  [lite("refused", 651), 500, "again"],
  [lite("protocol"), 542, "again"],
  [lite("proof"), 542, "again"],
  [new StartError("a"), 500, "user"],
  [new ChainReadError("slow", "a"), 504, "again"],
  [new ChainReadError("unavailable", "a"), 542, "again"],
  [new ChainReadError("archival", "a"), 500],
  [new HttpError(422, "a"), 422, "user"],
  [new HttpError(429, "a"), 429, "again", "user"],
  [new HttpError(500, "a"), 500],
  [new HttpError(503, "a"), 503, "again"],
];

test.each(table.map(([error, status, ...traits]) => ({ error, label: `${error.name}: ${error.message}`, status, traits })))(
  "$label",
  ({ error, status, traits }) => {
    expect(error).toBeInstanceOf(OperationalError);
    expect(error).toMatchObject({ status, isRetryable: traits.includes("again"), isUserError: traits.includes("user") });
  },
);

describe("the error for a caller", () => {
  const { signal } = new AbortController();
  const words = { slow: "the source did not answer in time", unavailable: "the source cannot be read" };

  test("has the status of the source's error and the given words", () => {
    for (const [error, status] of table) {
      if (error instanceof HttpError || error instanceof ChainReadError || status === 500) continue;
      const message = status === 504 ? words.slow : words.unavailable;
      expect(readError(error, () => words, signal)).toMatchObject({ name: "ChainReadError", status, message, cause: error });
    }
  });

  test("is the error itself if that is for callers or has no words, such as a damaged record", () => {
    for (const error of [new HttpError(503, "a"), new ChainReadError("slow", "a"), postgres("damaged"), new TypeError("a")])
      expect(readError(error, () => words, signal)).toBe(error);
  });
});
