import { historyOf, last, rawOf } from "../chain.ts";
import { accountState, conformingService, Refused } from "../conforming.ts";
import { blockOf, type Fault, type Input, idIn, wrongResult } from "./fault.ts";

export const accountFaults: readonly Fault[] = [
  wrongResult("getAddressInformation", "answers/amount", "answers a balance as a number", (result) => ({
    ...result,
    balance: Number(result["balance"]),
  })),
  wrongResult(
    "getAddressInformation",
    "live/account-as-of-block",
    "ignores the seqno of an account's request",
    (_, { address }) => accountState(rawOf(String(address))),
  ),
  wrongResult(
    "getAddressInformation",
    "live/account-as-of-block",
    "names the block asked for and answers the account as of the head",
    (result, { address }) => ({
      ...result,
      last_transaction_id: historyOf(rawOf(String(address)))[0]?.transaction_id ?? result["last_transaction_id"],
    }),
  ),
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
  wrongResult(
    "getAddressInformation",
    "live/account-never-seen",
    "invents a last transaction of an account that never had one",
    (result) => {
      const id = idIn(result, "last_transaction_id");
      return id["lt"] === "0" ? { ...result, last_transaction_id: { ...id, hash: last.root_hash } } : result;
    },
  ),
  wrongResult("getAddressInformation", "live/account-block", "names the shard's block in an account's state", (result) => ({
    ...result,
    block_id: blockOf(1, last.seqno),
  })),
  wrongResult("getAddressInformation", "live/account-cells", "answers code that is not a bag of cells", (result) => ({
    ...result,
    code: Buffer.from("code").toString("base64"),
  })),
  wrongResult("getAddressInformation", "live/frozen-hash", "answers a frozen hash of an active account", (result) => ({
    ...result,
    frozen_hash: last.root_hash,
  })),
  wrongResult(
    "getAddressInformation",
    "live/address-forms",
    "accepts the user-friendly form in one alphabet only",
    (result, { address }) => {
      if (/[+/]/.test(String(address))) throw new Refused(422, "failed to parse address");
      return result;
    },
  ),
];
