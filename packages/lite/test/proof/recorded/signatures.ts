/** Signatures of real validators. */
import { readBlockConfig, readBlockHeader } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { type BlockId, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { readValidatorSet, type ValidatorSet } from "@chain-query/format/validators";
import { recorded } from "@chain-query/testing/recorded";
import { queries } from "../../../src/wire/tl/queries.ts";
import type { LiteAnswer } from "../../../src/wire/tl/scheme.ts";

const fromHex = (text: string) => Buffer.from(text.replaceAll(/#.*|\s/g, ""), "hex");

/** The answer of a mainnet server: a link to the first key block that was signed in the Simplex form. */
export function recordedLink():
  | { readonly bytes: Uint8Array; read(bytes: Uint8Array): LiteAnswer<"getBlockProof"> }
  | undefined {
  const text = recorded("ton-net/one-link-simplex.hex");
  const [rootHash, fileHash] = [new Uint8Array(32), new Uint8Array(32)];
  const knownBlock: BlockId = { workchain: -1, shard: WHOLE_WORKCHAIN, seqno: 0, rootHash, fileHash };
  return text === undefined ? undefined : { bytes: fromHex(text), read: queries.getBlockProof({ mode: 0, knownBlock }).read };
}

interface Tree {
  readonly boc: string | readonly string[];
  readonly id?: { readonly seqNo: number; readonly rootHash: string; readonly fileHash: string };
  readonly signatures?: readonly { readonly node_id: string; readonly r: string; readonly s: string }[];
}

/** A block of testnet with ordinary signatures, and the validators that the key block before it names. */
export interface SignedTestnetBlock {
  readonly id: BlockId;
  readonly validators: ValidatorSet;
  readonly signatures: readonly { readonly nodeIdShort: Uint8Array; readonly signature: Uint8Array }[];
  /** As its header has them; undefined if the header is not recorded. */
  readonly header: { readonly catchainSeqno: number; readonly validatorListHash: number } | undefined;
}

/** A key block of testnet, and a later block. */
export function testnetBlocks(): readonly [SignedTestnetBlock, SignedTestnetBlock] | undefined {
  const text = recorded("tonbridge-sdk/signed-testnet-blocks.json");
  if (text === undefined) return undefined;
  const [before, key, later] = JSON.parse(text).data as [Tree, Tree, Tree];
  return [block(before, key, readBlockHeader(rootOf(key))), block(key, later, undefined)];
}

const rootOf = ({ boc }: Tree) => readBoc(Buffer.from([boc].flat()[0] ?? "", "hex"));

function block(source: Tree, { id, signatures = [] }: Tree, header: SignedTestnetBlock["header"]): SignedTestnetBlock {
  const config = readBlockConfig(rootOf(source));
  const set = config && lookUp(config, uint32Key(34), 32)?.ref();
  if (!set || !id) throw new Error("the recorded key block has no validators");
  const hashes = { rootHash: Buffer.from(id.rootHash, "hex"), fileHash: Buffer.from(id.fileHash, "hex") };
  return {
    id: { workchain: -1, shard: WHOLE_WORKCHAIN, seqno: id.seqNo, ...hashes },
    validators: readValidatorSet(set),
    signatures: signatures.map(({ node_id, r, s }) => ({
      nodeIdShort: Buffer.from(node_id, "hex"),
      signature: Buffer.from(r + s, "hex"),
    })),
    header,
  };
}
