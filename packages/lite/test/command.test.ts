import { expect, test } from "vitest";
import { parseArguments } from "../src/command/arguments.ts";

function parse(...args: readonly string[]) {
  const parsed = parseArguments(args);
  if ("command" in parsed && parsed.command === "print") throw new Error("must be a command, got help");
  return parsed as Exclude<typeof parsed, { readonly text: string }>;
}

test("reads file, account, anchor, server and time", () => {
  const account = `-1:${"aB".repeat(32)}`;
  const key = Buffer.alloc(32, 7).toString("base64");
  expect(parse("net.json", "--account", account, "--lite-head-from", key, "--timeout", "2.5")).toMatchObject({
    config: "net.json",
    account: { workchain: -1, hash: new Uint8Array(32).fill(0xab) },
    liteHeadFrom: new Uint8Array(32).fill(7),
    timeout: 2.5,
  });
  expect(parse("net.json", "--lite-anchor", "anchor.json")).toMatchObject({ liteAnchor: "anchor.json", timeout: 600 });
  expect(parse("net.json").account).toEqual({ workchain: -1, hash: new Uint8Array(32).fill(0x33) });
});

test.each([
  [[], /^<config>: missing; usage: chain-query-lite <config> \[options\]$/],
  [["a", "b"], /b/],
  [["a", "--account", "-1:33"], /^--account: expected an address such as .*, got "-1:33"$/],
  [
    ["a", "--lite-head-from", "AAAA"],
    /^--lite-head-from: expected the public key of a lite server, 32 bytes in base64.*, got "AAAA"$/,
  ],
  [["a", "--timeout", "0"], /^--timeout: expected a number from 1 to 600, got "0"$/],
  [["a", "--port", "1"], /^--port: not an option of chain-query-lite; expected /],
])("refuses %j with one line", (args, message) => {
  expect(() => parse(...args)).toThrow(message);
  expect(() => parse(...args)).not.toThrow(/\n/);
});

test("the help fits a terminal of 80 columns", () => {
  const printed = parseArguments(["--help"]);
  const lines = "text" in printed ? printed.text.split("\n") : [];
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});
