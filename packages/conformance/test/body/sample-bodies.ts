/** Small invented bodies, of the generation that the contract describes and of the older one. */

export interface Body {
  [member: string]: unknown;
}

const hash: string = `${"b".repeat(42)}A=`;
const zeroHash: string = `${"A".repeat(43)}=`;
export const address: string = "b".repeat(48);
const boc = "te6cckEBAQEAAgAAAEysuc0=";
const extra = { "@extra": "1700000000.5:1:0.25" };

export const blockId = (): Body => ({
  "@type": "chain.blockIdExt",
  workchain: -1,
  shard: "-9223372036854775808",
  seqno: 7,
  root_hash: hash,
  file_hash: hash,
});

export const transactionId = (lt = "1000"): Body => ({
  "@type": "internal.transactionId",
  lt,
  hash: lt === "0" ? zeroHash : hash,
});

export const account = (change: Body = {}): Body => ({
  "@type": "raw.fullAccountState",
  balance: "5",
  extra_currencies: [],
  last_transaction_id: transactionId(),
  block_id: blockId(),
  code: boc,
  data: "",
  frozen_hash: "",
  sync_utime: 1700000000,
  state: "active",
  ...change,
});

/** An account of the older generation, in its first form. */
export const olderAccount = (change: Body = {}): Body => without(account({ ...extra, ...change }), "extra_currencies");

export const neverSeen = (change: Body = {}): Body =>
  account({ balance: 0, code: "", state: "uninitialized", last_transaction_id: transactionId("0"), ...change });

export const message = (change: Body = {}): Body => ({
  "@type": "ext.message",
  hash,
  source: address,
  destination: address,
  value: "1",
  extra_currencies: [],
  fwd_fee: "0",
  ihr_fee: "0",
  created_lt: "1001",
  body_hash: hash,
  msg_data: { "@type": "msg.dataRaw", body: boc, init_state: "" },
  ...change,
});

/** A message of the older generation, in its first form: addresses as text, without hash and extra currencies. */
export const olderMessage = (change: Body = {}): Body =>
  without(message({ "@type": "raw.message", message: "", ...change }), "hash", "extra_currencies");

export const located = (change: Body = {}): Body => ({
  "@type": "ext.transaction",
  address: { "@type": "accountAddress", account_address: address },
  account: `0:${"B".repeat(64)}`,
  utime: 1700000000,
  data: boc,
  transaction_id: transactionId(),
  fee: "30",
  storage_fee: "10",
  other_fee: "20",
  in_msg: message({ created_lt: "900" }),
  out_msgs: [message(), message({ created_lt: "1002" })],
  ...change,
});

export const olderLocated = (change: Body = {}): Body =>
  without(
    located({
      "@type": "raw.transaction",
      in_msg: olderMessage({ created_lt: "900" }),
      out_msgs: [olderMessage(), olderMessage({ created_lt: "1002" })],
      ...change,
    }),
    "address",
    "account",
  );

const addressObject = (): Body => ({ "@type": "accountAddress", account_address: address });

export const listedMessage = (change: Body = {}): Body =>
  message({ "@type": "raw.message", source: addressObject(), destination: addressObject(), ...change });

export const listed = (lt = "1000", change: Body = {}): Body =>
  without(
    located({
      "@type": "raw.transaction",
      transaction_id: transactionId(lt),
      in_msg: listedMessage({ created_lt: "900" }),
      out_msgs: [listedMessage({ created_lt: String(BigInt(lt) + 1n) })],
      ...change,
    }),
    "account",
  );

export const page = (transactions: Body[] = [listed("2000"), listed("1000")], change: Body = {}): Body => ({
  "@type": "raw.transactions",
  transactions,
  previous_transaction_id: transactionId("500"),
  ...change,
});

/** A listed transaction of the older generation, in its first form. */
export const olderListed = (lt = "1000", change: Body = {}): Body =>
  without(
    listed(lt, {
      in_msg: olderMessage({ created_lt: "900" }),
      out_msgs: [olderMessage({ created_lt: String(BigInt(lt) + 1n) })],
      ...change,
    }),
    "address",
  );

export const consensus = (change: Body = {}): Body => ({
  "@type": "ext.blocks.consensusBlock",
  consensus_block: 7,
  timestamp: 1700000000,
  ...change,
});

export const olderConsensus = (change: Body = {}): Body => without(consensus({ timestamp: 1700000000.25, ...change }), "@type");

export const failure = (change: Body = {}): Body => ({ ok: false, error: "transaction was not found", code: 404, ...change });

export const limited = (change: Body = {}): Body => ({ ok: false, result: "Too many requests", code: 429, ...change });

export const envelope = (result: unknown, change: Body = {}): Body => ({ ok: true, result, "@extra": "1:0:0.1", ...change });

export function without(body: Body, ...members: string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !members.includes(member)));
}

export function recordedFolder(name: string): URL {
  return new URL(`../../../../../shared/${name}/`, import.meta.url);
}

/** The reason for a skipped test. */
export function noRecordedData(name: string): string {
  return `skipped: no recorded data in ../shared/${name}`;
}
