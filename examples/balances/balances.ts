// Prints the balances of accounts and their sum: balances.ts ADDRESS...
// Without addresses it reads one from each line of its input.
import { stdin } from "node:process";
import { createInterface } from "node:readline";
import { createClient } from "@chain-query/client";
import {
  formatNano,
  many,
  withBigints,
} from "@chain-query/client/extras";

const chain = withBigints(
  createClient({
    baseUrl: process.env.CHAIN_QUERY_URL ?? "http://127.0.0.1:4010",
    ...(process.env.CHAIN_API_KEY && {
      apiKey: process.env.CHAIN_API_KEY,
    }),
  }),
);

async function* inputs() {
  const given = process.argv.slice(2);
  const lines = given.length > 0 ? given : createInterface(stdin);
  for await (const address of lines) yield { address };
}

let sum = 0n;
const accounts = many(chain.getAddressInformation, inputs(), {
  concurrency: 4,
});
for await (const { input, ...account } of accounts) {
  if (account.ok) {
    sum += account.result.balance;
    console.log(input.address, formatNano(account.result.balance));
  } else {
    console.error(`balances: ${account.error.message}`);
    process.exitCode = 1;
  }
}
console.log("sum", formatNano(sum));
