/** Laws of the states of accounts. */
import { createHash } from "node:crypto";
import { friendlyAddressOf } from "../../address.ts";
import { answerOf } from "../../service/exchange.ts";
import { type Breach, type Check, NotApplicable } from "../check.ts";
import { accountsOf, richestAccount } from "./account-sample.ts";
import { blockName, breachOf, found, isSameBlock, masterchain, tried, unless } from "./typed-requests.ts";

const farAhead = 1_000_000;
const zeroHash = Buffer.alloc(32).toString("base64");

/** Seconds within which a transaction may or may not be part of a masterchain block of the same time. */
const margin = 60;

export const accountChecks: readonly Check[] = [
  {
    id: "live/account-block",
    says: "an account's state names the masterchain block as of which it was read, which is found by its seqno and its time",
    law: "D-44",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const breaches: Breach[] = [];
      for (const { state, asked } of await accountsOf(context)) {
        const { block_id } = state;
        const isMaster = block_id.workchain === masterchain.workchain && block_id.shard === masterchain.shard;
        breaches.push(...unless(isMaster, asked, "block_id of the masterchain", blockName(block_id)));
        const { result, exchange } = await tried(context, "lookupBlock", { ...masterchain, seqno: block_id.seqno });
        const isFound = result !== undefined && isSameBlock(result, block_id);
        breaches.push(
          ...unless(
            !isMaster || isFound,
            exchange,
            `${blockName(block_id)}, root_hash ${block_id.root_hash}`,
            result?.root_hash ?? "nothing",
          ),
        );
      }
      return breaches;
    },
  },
  {
    id: "live/account-as-of-block",
    says: "with a seqno the account is read as of that block",
    law: "D-16",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const { address, state, history } = await richestAccount(context, 2);
      const seqno = state.block_id.seqno - 1;
      if (seqno < 1) throw new NotApplicable("the chain is one block old");
      const { result, exchange } = await found(context, "getAddressInformation", { address, seqno: String(seqno) });
      const breaches = unless(
        result.block_id.seqno === seqno,
        exchange,
        `block_id of seqno ${seqno}`,
        blockName(result.block_id),
      );
      // Halfway between two transactions that are far enough apart, the older of them is the last.
      const index = history.findIndex(({ utime }, at) => utime - (history[at + 1]?.utime ?? utime) > 2 * margin);
      const [newer, older] = [history[index], history[index + 1]];
      if (index < 0 || newer === undefined || older === undefined) return breaches;
      const unixtime = Math.floor((newer.utime + older.utime) / 2);
      const block = await found(context, "lookupBlock", { ...masterchain, unixtime });
      const then = await found(context, "getAddressInformation", { address, seqno: String(block.result.seqno) });
      const last = then.result.last_transaction_id;
      return [
        ...breaches,
        ...unless(
          isSameBlock(then.result.block_id, block.result),
          then.exchange,
          blockName(block.result),
          blockName(then.result.block_id),
        ),
        ...unless(
          last.lt === older.transaction_id.lt,
          then.exchange,
          `last_transaction_id of lt ${older.transaction_id.lt}`,
          `lt ${last.lt}`,
        ),
      ];
    },
  },
  {
    id: "live/account-in-the-future",
    says: "as of a block that does not exist yet there is a failure",
    law: "D-16",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const { address, state } = await richestAccount(context, 1);
      const seqno = String(state.block_id.seqno + farAhead);
      const { result, exchange } = await tried(context, "getAddressInformation", { address, seqno });
      return result === undefined ? [] : [breachOf(exchange, "a failure", `200, as of ${blockName(result.block_id)}`)];
    },
  },
  {
    id: "live/account-never-seen",
    says: "an account never seen is uninitialized, has balance 0, no code and no transaction",
    law: "D-23",
    operations: ["getAddressInformation"],
    run: async (context) => {
      // An account that nobody can have thought of before.
      const account = createHash("sha256").update(`never seen ${context.seed}`).digest();
      const { result, exchange } = await found(context, "getAddressInformation", { address: `0:${account.toString("hex")}` });
      const { state, balance, code, last_transaction_id } = result;
      const got = { state, balance, code, lt: last_transaction_id.lt, hash: last_transaction_id.hash };
      const due = { state: "uninitialized", balance: "0", code: "", lt: "0", hash: zeroHash };
      return unless(JSON.stringify(got) === JSON.stringify(due), exchange, JSON.stringify(due), JSON.stringify(got));
    },
  },
  {
    id: "live/frozen-hash",
    says: "frozen_hash is empty unless the account is frozen",
    law: "D-41",
    operations: ["getAddressInformation"],
    run: async (context) =>
      (await accountsOf(context)).flatMap(({ state, asked }) =>
        unless(
          (state.state === "frozen") === (state.frozen_hash !== ""),
          asked,
          `frozen_hash of an account that is ${state.state}`,
          state.frozen_hash,
        ),
      ),
  },
  {
    id: "live/address-forms",
    says: "an address means the same in each of its forms",
    law: "D-34",
    operations: ["getAddressInformation"],
    run: async (context) => {
      const { address, state } = await richestAccount(context, 1);
      const [workchain = "0", account = ""] = address.split(":");
      const friendly = friendlyAddressOf(Number(workchain), Buffer.from(account, "hex"));
      const forms = [address.toLowerCase(), friendly, friendly.replaceAll("-", "+").replaceAll("_", "/")];
      const seqno = String(state.block_id.seqno);
      const breaches: Breach[] = [];
      for (const form of new Set(forms)) {
        const { result, exchange } = await tried(context, "getAddressInformation", { address: form, seqno });
        const last = result?.last_transaction_id.lt;
        const due = state.last_transaction_id.lt;
        if (last !== due)
          breaches.push(breachOf(exchange, `last_transaction_id of lt ${due}`, last ?? `status ${answerOf(exchange)?.status}`));
      }
      return breaches;
    },
  },
];
