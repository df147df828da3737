import { describe, expect, test } from "vitest";
import { bytesOfJson, heldAsJson, lasting, perThing, textOfJson } from "../src/lasting.ts";

const counted = <Value>() => {
  const calls = { count: 0 };
  const write = (value: Value): string => {
    calls.count++;
    return JSON.stringify(value);
  };
  return { calls, write };
};

describe("lasting", () => {
  test("has its text made once, and anything else each time", () => {
    const { calls, write } = counted<object>();
    const value = lasting({ a: "é" });
    expect([textOfJson(value, write), textOfJson(value, write), calls.count]).toEqual(['{"a":"é"}', '{"a":"é"}', 1]);
    const other = { a: 1 };
    textOfJson(other, write);
    textOfJson(other, write);
    expect(calls.count).toBe(3);
  });

  test("is what is made of a thing, once for each", () => {
    const of = perThing<object, { n: number }>();
    const [one, other] = [{}, {}];
    const made = of(one, () => ({ n: 1 }));
    expect(of(one, () => ({ n: 2 }))).toBe(made);
    expect(of(other, () => ({ n: 3 }))).toEqual({ n: 3 });
  });
});

describe("heldAsJson", () => {
  const value = { "@type": "x", list: [{ a: 1 }], text: "é" };
  const held = heldAsJson<typeof value>(Buffer.from(JSON.stringify(value)));

  test("is the value to whoever reads it", () => {
    expect(held.list[0]?.a).toBe(1);
    expect({ ...held }).toEqual(value);
    expect("text" in held).toBe(true);
    expect(JSON.stringify(held)).toBe(JSON.stringify(value));
  });

  test("passes through a promise unread, and gives its bytes without writing", async () => {
    const unread = heldAsJson<object>(Buffer.from("no JSON at all"));
    expect((await Promise.resolve(unread)) === unread).toBe(true);
    const bytes = bytesOfJson(unread, () => {
      throw new Error("it is written already");
    });
    expect(bytes.toString()).toBe("no JSON at all");
  });
});
