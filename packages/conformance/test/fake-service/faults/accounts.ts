import { historyOf, last, rawOf } from "../chain.ts";
import { accountState, conformingService, Refused } from "../conforming.ts";
import { blockOf, changeResult, type Fault, type Input, idIn } from "./fault.ts";

export const accountFaults: readonly Fault[] = [
  {
    mistake: "answers a balance as a number",
    caughtBy: "answers/amount",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (result) => ({ ...result, balance: Number(result["balance"]) })),
  },
  {
    mistake: "ignores the seqno of an account's request",
    caughtBy: "live/account-as-of-block",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (_, { address }) => accountState(rawOf(String(address)))),
  },
  {
    mistake: "names the block asked for and answers the account as of the head",
    caughtBy: "live/account-as-of-block",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (result, { address }) => ({
      ...result,
      last_transaction_id: historyOf(rawOf(String(address)))[0]?.transaction_id ?? result["last_transaction_id"],
    })),
  },
  {
    mistake: "answers as of the head if the seqno is past it",
    caughtBy: "live/account-in-the-future",
    operation: "getAddressInformation",
    make: () => {
      const right = conformingService();
      const getAddressInformation = ({ address, seqno }: Input): unknown =>
        accountState(rawOf(String(address)), seqno === undefined ? undefined : Math.min(last.seqno, Number(seqno)));
      return { ...right, answer: { ...right.answer, getAddressInformation } };
    },
  },
  {
    mistake: "invents a last transaction of an account that never had one",
    caughtBy: "live/account-never-seen",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (result) => {
      const id = idIn(result, "last_transaction_id");
      return id["lt"] === "0" ? { ...result, last_transaction_id: { ...id, hash: last.root_hash } } : result;
    }),
  },
  {
    mistake: "names the shard's block in an account's state",
    caughtBy: "live/account-block",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (result) => ({ ...result, block_id: blockOf(1, last.seqno) })),
  },
  {
    mistake: "answers code that is not a bag of cells",
    caughtBy: "live/account-cells",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (result) => ({ ...result, code: Buffer.from("code").toString("base64") })),
  },
  {
    mistake: "answers a frozen hash of an active account",
    caughtBy: "live/frozen-hash",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (result) => ({ ...result, frozen_hash: last.root_hash })),
  },
  {
    mistake: "accepts the user-friendly form in one alphabet only",
    caughtBy: "live/address-forms",
    operation: "getAddressInformation",
    make: changeResult("getAddressInformation", (result, { address }) => {
      if (/[+/]/.test(String(address))) throw new Refused(422, "failed to parse address");
      return result;
    }),
  },
];
