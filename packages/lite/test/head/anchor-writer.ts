/** Writes anchors with rising numbers to the file of its argument, until it is killed. */
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { writeAnchor } from "../../src/head/anchor.ts";

const [path = "", first = "1"] = process.argv.slice(2);
const hash = (byte: number) => new Uint8Array(32).fill(byte);
for (let seqno = Number(first); ; seqno++) {
  const hashes = { rootHash: hash(seqno & 255), fileHash: hash((seqno + 1) & 255) };
  const zeroState = { ...MASTERCHAIN, seqno: 0, rootHash: hash(1), fileHash: hash(2) };
  await writeAnchor(path, { zeroState, initBlock: zeroState }, { ...MASTERCHAIN, seqno, ...hashes });
  process.stdout.write(`${seqno}\n`);
}
