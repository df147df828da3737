// Prints the balances of accounts and their sum: balances.ts ADDRESS...
// Without addresses it reads one from each line of its input.
import { stdin } from "node:process";
import { createInterface } from "node:readline";
import {
  createClient,
  formatNano,
  withBigints,
} from "@chain-query/client";
import { isAddress, toRawAddress } from "@chain-query/client/address";

const chain = withBigints(
  createClient({
    baseUrl: process.env.CHAIN_QUERY_URL ?? "http://127.0.0.1:4010",
    // Without a key, many calls wait long for the rate limit.
    deadlineMs: Infinity,
    ...(process.env.CHAIN_API_KEY && {
      apiKey: process.env.CHAIN_API_KEY,
    }),
  }),
);

const given = process.argv.slice(2);
if (given.length === 0) {
  for await (const line of createInterface(stdin)) given.push(line);
}
// An account that is given twice, in two forms for example, counts once.
const rawOf = (text: string) =>
  isAddress(text) ? toRawAddress(text) : text;
const addresses = [
  ...new Map(given.map((text) => [rawOf(text), text])).values(),
];

// All as of one block: coins that move between two of the accounts
// meanwhile are neither missing in the sum nor in it twice.
const { consensus_block: seqno } = await chain.getConsensusBlock();
const accounts = await Promise.all(
  addresses.map((address) =>
    chain.getAddressInformation({ address, seqno }).safe(),
  ),
);
let sum = 0n;
for (const [index, account] of accounts.entries()) {
  if (account.ok) {
    sum += account.result.balance;
    console.log(addresses[index], formatNano(account.result.balance));
  } else {
    console.error(`balances: ${account.error.message}`);
    process.exitCode = 1;
  }
}
console.log("sum", formatNano(sum));
