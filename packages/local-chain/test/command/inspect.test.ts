import { expect, test } from "vitest";
import { toJson } from "../../src/command/transaction.ts";

test("JSON has no characters that control a terminal, and the same texts", () => {
  const description = { comment: "a\u001b[2Jb\u202ec\u009bd\u2028\u{e0001}", nothing: undefined, list: ["é"] };
  const text = toJson(description);
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(text)).toEqual({ comment: description.comment, list: ["é"] });
});
