import { type Cell, CellReader } from "@chain-query/format/cells";
import { readCurrencies } from "@chain-query/format/currencies";
import { readEntries } from "@chain-query/format/dictionaries";

/** What each TL-B OutMsg does to the shard's outbound queue, by its first three bits. */
const CHANGES: Readonly<Record<number, number>> = {
  // msg_export_ext$000 leaves the network, msg_export_imm$010 is delivered in its own block
  0: 0,
  2: 0,
  // msg_export_new$001 and msg_export_tr$011 wait
  1: 1,
  3: 1,
  // msg_export_deq_imm$100 and msg_export_deq$1100, msg_export_deq_short$1101 have waited
  4: -1,
  6: -1,
  // msg_export_tr_req$111 waits again under another key
  7: 0,
};

/** By how much a TL-B OutMsgDescr lets the queue grow. */
export function queueChange(described: Cell): number {
  const root = new CellReader(described).maybeRef();
  let change = 0;
  for (const { leaf } of root ? readEntries(root, 256) : []) {
    readCurrencies(leaf);
    change += CHANGES[leaf.uint(3)] ?? 0;
  }
  return change;
}
