/** Checks of account states. */
import { createHash } from "node:crypto";
import { friendlyAddressOf } from "../../address.ts";
import { responseOf } from "../../service/exchange.ts";
import { type Check, NotApplicable } from "../check.ts";
import { accountsOf, accountWithHistory } from "./account-sample.ts";
import { blockAndHash, blockName, fetchResult, isSameBlock, masterchain, tryFetch } from "./fetch.ts";

const farAhead = 1_000_000;
const zeroHash = Buffer.alloc(32).toString("base64");

/** Seconds within which a transaction may or may not be part of a masterchain block of the same time. */
const margin = 60;

export const accountChecks: readonly Check[] = [
  {
    id: "live/account-block",
    description: "an account's state names the masterchain block as of which it was read, and lookupBlock finds that block",
    rule: "D-44",
    operations: ["getAddressInformation"],
    run: async (context) => {
      for (const { state, stateExchange } of await accountsOf(context)) {
        const { block_id } = state;
        const isMaster = block_id.workchain === masterchain.workchain && block_id.shard === masterchain.shard;
        context.expect(isMaster, stateExchange, "block_id of the masterchain", blockName(block_id));
        const { result, exchange } = await tryFetch(context, "lookupBlock", { ...masterchain, seqno: block_id.seqno });
        const isFound = result !== undefined && isSameBlock(result, block_id);
        context.expect(!isMaster || isFound, exchange, blockAndHash(block_id), result?.root_hash ?? "nothing");
      }
    },
  },
  {
    id: "live/account-as-of-block",
    description: "with a seqno the account is read as of that block",
    rule: "D-16",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const { address, state, history } = await accountWithHistory(context, 2);
      const seqno = state.block_id.seqno - 1;
      if (seqno < 1) throw new NotApplicable("the chain is one block old");
      const { result, exchange } = await fetchResult(context, "getAddressInformation", { address, seqno: String(seqno) });
      context.expect(result.block_id.seqno === seqno, exchange, `block_id of seqno ${seqno}`, blockName(result.block_id));
      // Halfway between two transactions that are far enough apart, the older of them is the last, unless the next block has the newer one.
      const index = history.findIndex(({ utime }, at) => utime - (history[at + 1]?.utime ?? utime) > 2 * margin);
      const [newer, older] = [history[index], history[index + 1]];
      if (newer === undefined || older === undefined) return;
      const unixtime = Math.floor((newer.utime + older.utime) / 2);
      const { result: block } = await fetchResult(context, "lookupBlock", { ...masterchain, unixtime });
      const then = await fetchResult(context, "getAddressInformation", { address, seqno: String(block.seqno) });
      const { block_id, last_transaction_id: last } = then.result;
      context.expect(isSameBlock(block_id, block), then.exchange, blockName(block), blockName(block_id));
      const due = history.find(({ utime }) => utime <= then.result.sync_utime)?.transaction_id.lt;
      context.expect(last.lt === due, then.exchange, `last_transaction_id of lt ${due}`, `lt ${last.lt}`);
    },
  },
  {
    id: "live/account-in-the-future",
    description: "as of a block that does not exist yet the response is a failure",
    rule: "D-16",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const { address, state } = await accountWithHistory(context, 1);
      const seqno = String(state.block_id.seqno + farAhead);
      const { result, exchange } = await tryFetch(context, "getAddressInformation", { address, seqno });
      if (result !== undefined) context.expect(false, exchange, "a failure", `200, as of ${blockName(result.block_id)}`);
    },
  },
  {
    id: "live/account-never-seen",
    description: "an account that never had a transaction is uninitialized, with balance 0 and without code",
    rule: "D-23",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const unused = createHash("sha256").update(`never seen ${context.seed}`).digest("hex");
      const { result, exchange } = await fetchResult(context, "getAddressInformation", { address: `0:${unused}` });
      const { state, balance, code, last_transaction_id } = result;
      const got = JSON.stringify({ state, balance, code, lt: last_transaction_id.lt, hash: last_transaction_id.hash });
      const due = JSON.stringify({ state: "uninitialized", balance: "0", code: "", lt: "0", hash: zeroHash });
      context.expect(got === due, exchange, due, got);
    },
  },
  {
    id: "live/frozen-hash",
    description: "frozen_hash is empty unless the account is frozen",
    rule: "D-41",
    operations: ["getAddressInformation"],
    run: async (context) => {
      for (const { state, stateExchange } of await accountsOf(context)) {
        const isRight = (state.state === "frozen") === (state.frozen_hash !== "");
        context.expect(isRight, stateExchange, `frozen_hash of an account that is ${state.state}`, state.frozen_hash);
      }
    },
  },
  {
    id: "live/address-forms",
    description: "an address means the same in each of its forms",
    rule: "D-34",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const { address, state } = await accountWithHistory(context, 1);
      const [workchain = "0", account = ""] = address.split(":");
      const friendly = friendlyAddressOf(Number(workchain), Buffer.from(account, "hex"));
      const forms = [address.toLowerCase(), friendly, friendly.replaceAll("-", "+").replaceAll("_", "/")];
      const seqno = String(state.block_id.seqno);
      const due = state.last_transaction_id.lt;
      for (const form of new Set(forms)) {
        const { result, exchange } = await tryFetch(context, "getAddressInformation", { address: form, seqno });
        const got = result?.last_transaction_id.lt;
        const otherwise = got ?? `status ${responseOf(exchange)?.status}`;
        context.expect(got === due, exchange, `last_transaction_id of lt ${due}`, otherwise);
      }
    },
  },
];
