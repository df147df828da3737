import { NO_DATA, recorded, recordedFiles } from "@chain-query/testing/recorded";
import { describe, expect, expectTypeOf, test } from "vitest";
import { LiteError } from "../../src/wire/lite-error.ts";
import { type LiteCall, type LiteQuery, queries, readQuery, writeAnswer } from "../../src/wire/tl/queries.ts";
import type { LiteAnswer, LiteFunction } from "../../src/wire/tl/scheme.ts";

const requests = recorded("iroha/recorded-requests.json");
const proof = recorded("ton-net/one-link-simplex.hex");
const info = recorded("ton-net/masterchain-info.hex");

const fromHex = (text: string) => Buffer.from(text.replaceAll(/#.*|\s/g, ""), "hex");

/** The query of a call that a server has read. */
function again({ name, args }: LiteCall): Uint8Array {
  const query: (args: never) => LiteQuery<unknown> = queries[name];
  return query(args as never).bytes;
}

test("requests that a network has answered are read, and written bit for bit", ({ skip }) => {
  skip(requests === undefined, NO_DATA);
  const file: { requests: Record<string, string> } = JSON.parse(requests ?? "");
  const calls = Object.entries(file.requests).map(([name, hex]) => [name, readQuery(fromHex(hex))] as const);
  expect(Object.fromEntries(calls.map(([name, call]) => [name, Buffer.from(again(call)).toString("hex")]))).toEqual(
    file.requests,
  );
  expect(Object.fromEntries(calls)).toMatchObject({
    error_block_not_found: {
      name: "lookupBlock",
      args: { mode: 1, id: { workchain: -1, shard: -(2n ** 63n), seqno: 96426782 } },
    },
    get_block_proof_forward: { name: "getBlockProof", args: { mode: 1, targetBlock: { seqno: 95426772 } } },
    get_config_params: { name: "getConfigParams", args: { paramList: [34, 28, 15] } },
    get_one_transaction: { name: "getOneTransaction", args: { account: { workchain: 0 }, lt: 106248525000009n } },
    get_time: { name: "getTime", args: {} },
    lookup_block_lt: { name: "lookupBlock", args: { mode: 2 } },
    lookup_block_utime: { name: "lookupBlock", args: { mode: 4 } },
  });
});

test("answers of a network are read", ({ skip }) => {
  skip(proof === undefined || info === undefined, NO_DATA);
  const { last, init } = queries.getMasterchainInfo().read(fromHex(info ?? ""));
  expect(last).toMatchObject({ workchain: -1, seqno: 80945431 });
  expect(init.workchain).toBe(-1);

  const partial = queries.getBlockProof({ mode: 0, knownBlock: last }).read(fromHex(proof ?? ""));
  expect(partial).toMatchObject({ from: { seqno: 59238081 }, to: { seqno: 59379986 }, complete: true });
  const [link] = partial.steps;
  expect(link).toMatchObject({ type: "blockLinkForward", toKeyBlock: true, signatures: { type: "signatureSet.simplex" } });
  if (link?.type === "blockLinkForward") {
    expectTypeOf(link.signatures.type).toEqualTypeOf<"signatureSet.ordinary" | "signatureSet.simplex">();
    expect(link.signatures.signatures).toHaveLength(66);
  }
});

const hash = new Uint8Array(32);
const knownBlock = { workchain: -1, shard: -(2n ** 63n), seqno: 0, rootHash: hash, fileHash: hash };
/** By file. */
const ANSWERS: Readonly<Record<string, readonly [LiteFunction, LiteQuery<LiteAnswer<LiteFunction>>]>> = {
  "lite/ton-net/masterchain-info.hex": ["getMasterchainInfo", queries.getMasterchainInfo()],
  "lite/ton-net/one-link-simplex.hex": ["getBlockProof", queries.getBlockProof({ mode: 0, knownBlock })],
};

describe("answers in the folder", () => {
  // Other packages read bags of cells, and tables of values.
  const objects = recordedFiles()
    .filter(({ file }) => /^lite\/.*\.hex$/.test(file))
    .map(({ file, bytes }) => [file, fromHex(bytes.toString("utf8"))] as const)
    .filter(([, bytes]) => bytes.readUInt32BE(0) !== 0xb5ee9c72);

  test("are all known", ({ skip }) => {
    skip(objects.length === 0, NO_DATA);
    expect(objects.map(([file]) => file)).toEqual(Object.keys(ANSWERS));
  });

  test.each(objects)("%s is written back bit for bit, and refused or another answer with each other bit", (file, bytes) => {
    const known = ANSWERS[file];
    if (!known) throw new Error(`${file} is an answer of an unknown function`);
    const [name, { read }] = known;
    expect(Buffer.compare(writeAnswer(name, read(bytes)), bytes)).toBe(0);
    const step = Math.max(1, Math.floor((bytes.length * 8) / 400));
    for (let bit = 0; bit < bytes.length * 8; bit += step) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (0x80 >> (bit & 7));
      const answer = unlessRefused(() => read(changed));
      if (!answer) continue;
      const written = writeAnswer(name, answer);
      // The same answer has another bit in the bytes that fill a length up.
      expect(
        [bytes, changed].some((either) => Buffer.compare(either, written) === 0),
        `bit ${bit}`,
      ).toBe(true);
    }
  });
});

function unlessRefused<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(LiteError);
    return undefined;
  }
}
