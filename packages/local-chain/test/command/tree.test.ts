import { describe, expect, test } from "vitest";
import { Readable, toJson, toTree } from "../../src/command/tree.ts";

const described = {
  name: "a",
  time: new Readable(60, "1970-01-01T00:01:00Z (60)"),
  nothing: undefined,
  inner: { long_name: 1, x: "two" },
  list: ["first", { deep: "value" }],
};

describe("toTree", () => {
  test("draws members below their name", () => {
    expect(toTree(described).split("\n")).toEqual([
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

  test("shows an empty list as none", () => {
    expect(toTree({ of: "a", out_messages: [] })).toBe("├─ of            a\n└─ out_messages  none");
  });

  test("escapes control characters", () => {
    expect(toTree({ comment: "a\u001b[2Jb\u202ec" })).toBe("└─ comment  a\\u{1b}[2Jb\\u{202e}c");
  });
});

describe("toJson", () => {
  test("gives plain values", () => {
    expect(JSON.parse(JSON.stringify(toJson(described)))).toEqual({
      name: "a",
      time: 60,
      inner: { long_name: 1, x: "two" },
      list: ["first", { deep: "value" }],
    });
  });
});
