import { Address } from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountIn, friendlyAddress, rawAddress } from "../../src/convert/address.ts";
import { Refusal } from "../../src/failure.ts";

const accounts = fc.record({
  workchain: fc.constantFrom(-1, 0, 5, -128, 127),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

const refusalOf = (text: string): string => {
  try {
    accountIn(text, "source");
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} ${error.message}`;
  }
  return "no refusal";
};

describe("accountIn", () => {
  test("reads every form of an account as another library writes it", () => {
    fc.assert(
      fc.property(accounts, fc.boolean(), fc.boolean(), fc.boolean(), (account, bounceable, testOnly, urlSafe) => {
        const { workchain, hash } = account;
        const address = new Address(workchain, Buffer.from(hash));
        for (const text of [address.toRawString(), rawAddress(account), address.toString({ bounceable, testOnly, urlSafe })]) {
          const found = accountIn(text, "address");
          expect([found.workchain, Buffer.from(found.hash)]).toEqual([workchain, Buffer.from(hash)]);
        }
      }),
    );
  });

  test("tells minus zero from nothing", () => {
    expect(Object.is(accountIn(`-0:${"0".repeat(64)}`, "address").workchain, 0)).toBe(true);
  });

  test.each([
    [`2147483648:${"0".repeat(64)}`, "422 source: the workchain 2147483648 does not fit 32 bits"],
    [`0:${"0".repeat(62)}`, "422 source: 64 hexadecimal digits are expected after the colon"],
    ["EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMS", "422 source: wrong checksum"],
    ["EQB_moru5CURJhMZ", "422 source: 48 characters of base64 are expected"],
    ["", "422 source: 48 characters of base64 are expected"],
    // 0x22 in place of the flags, with the checksum of it.
    [flagged(0x22), "422 source: unknown flags 0x22"],
  ])("refuses %j with the member and the reason", (text, reason) => {
    expect(refusalOf(text)).toMatch(new RegExp(`^${reason}; |^${reason}$`));
  });
});

describe("friendlyAddress", () => {
  test("is bounceable and URL-safe, as another library writes it", () => {
    fc.assert(
      fc.property(accounts, ({ workchain, hash }) => {
        const expected = new Address(workchain, Buffer.from(hash)).toString({ bounceable: true, urlSafe: true });
        expect(friendlyAddress({ workchain, hash })).toBe(expected);
      }),
    );
  });

  test("is the raw form where the workchain does not fit its byte", () => {
    expect(friendlyAddress({ workchain: 128, hash: new Uint8Array(32) })).toBe(`128:${"0".repeat(64)}`);
  });
});

function flagged(flags: number): string {
  const bytes = Buffer.from(new Address(0, Buffer.alloc(32)).toString(), "base64url");
  bytes[0] = flags;
  let rest = 0;
  for (const byte of bytes.subarray(0, 34)) {
    rest ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) rest = rest & 0x8000 ? (rest << 1) ^ 0x1021 : rest << 1;
  }
  bytes.writeUInt16BE(rest & 0xffff, 34);
  return bytes.toString("base64url");
}
