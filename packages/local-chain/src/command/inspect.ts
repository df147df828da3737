import type { InspectWish } from "../cli-options.ts";
import { chainReader } from "../reading/chain-reader.ts";
import { chainFileOf } from "../store/folder.ts";
import { openTables } from "../store/tables.ts";
import { describeAccount } from "./describe-account.ts";
import { describeBlock } from "./describe-block.ts";
import { describeChain } from "./describe-chain.ts";
import { describeTransaction } from "./describe-transaction.ts";
import { type Described, jsonOf, treeOf } from "./described.ts";
import type { Inspected } from "./inspected.ts";

/** Shows a chain or something in it, as a tree for people or as JSON. */
export async function inspect({ directory, json, subject }: InspectWish): Promise<number> {
  const tables = openTables(chainFileOf(directory), "read");
  try {
    const described = describe({ tables, chain: chainReader(tables, () => Promise.resolve()) }, subject);
    console.log(json ? JSON.stringify(jsonOf(described), null, 2) : treeOf(described));
    return 0;
  } finally {
    await tables.root.close();
  }
}

function describe(inspected: Inspected, subject: InspectWish["subject"]): Described {
  switch (subject.of) {
    case "chain":
      return describeChain(inspected);
    case "block":
      return describeBlock(inspected, subject.name);
    case "account":
      return describeAccount(inspected, subject.name);
    case "transaction":
      return describeTransaction(inspected, subject.name);
  }
}
