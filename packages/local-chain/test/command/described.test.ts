import { describe, expect, test } from "vitest";
import { jsonOf, Told, treeOf } from "../../src/command/described.ts";

const described = {
  name: "a",
  time: new Told(60, "1970-01-01T00:01:00Z (60)"),
  nothing: undefined,
  inner: { long_name: 1, x: "two" },
  list: ["first", { deep: "value" }],
};

describe("treeOf", () => {
  test("draws what belongs together below its name", () => {
    expect(treeOf(described).split("\n")).toEqual([
      "├─ name  a",
      "├─ time  1970-01-01T00:01:00Z (60)",
      "├─ inner",
      "│  ├─ long_name  1",
      "│  └─ x          two",
      "└─ list",
      "   ├─ 0  first",
      "   └─ 1",
      "      └─ deep  value",
    ]);
  });

  test("says where a list is empty", () => {
    expect(treeOf({ of: "a", out_messages: [] })).toBe("├─ of            a\n└─ out_messages  none");
  });

  test("shows what a terminal would act on as its number", () => {
    expect(treeOf({ comment: "a\u001b[2Jb\u202ec" })).toBe("└─ comment  a\\u{1b}[2Jb\\u{202e}c");
  });
});

describe("jsonOf", () => {
  test("gives plain values", () => {
    expect(JSON.parse(JSON.stringify(jsonOf(described)))).toEqual({
      name: "a",
      time: 60,
      inner: { long_name: 1, x: "two" },
      list: ["first", { deep: "value" }],
    });
  });
});
