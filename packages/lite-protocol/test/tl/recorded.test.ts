import { NO_DATA, recorded } from "@chain-query/testing/recorded";
import { expect, expectTypeOf, test } from "vitest";
import { type LiteCall, type LiteQuery, queries, readQuery } from "../../src/tl/index.ts";

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
