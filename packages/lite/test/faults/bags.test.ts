import { CellBuilder, createMerkleProof, openMerkleProof, readBoc, readBocRoots, writeBoc } from "@chain-query/format/cells";
import { expect, test } from "vitest";
import { flipBitOf, forge } from "../../src/faults/false-answers.ts";

const leaf = new CellBuilder().uint(0x1234, 16).cell();
const tree = new CellBuilder().uint(1, 8).ref(leaf).cell();

test("a flipped bit is detected by the checksum", () => {
  expect(() => readBoc(flipBitOf(writeBoc(tree)))).toThrow("checksum");
});

test("a forged bag is detected by its hash alone", () => {
  const forged = readBoc(forge(writeBoc(tree)));
  expect(forged.refs[0]?.bytes).toEqual(Uint8Array.of(0x92, 0x34));
  const proof = createMerkleProof(tree, (root, keep) => keep(root));
  const [forgedProof] = readBocRoots(forge(writeBoc(proof)));
  expect(forgedProof?.type).toBe("proof");
  expect(() => forgedProof && openMerkleProof(forgedProof, tree.hash)).toThrow("must prove the tree");
});
