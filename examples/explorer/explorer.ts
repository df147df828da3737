// Prints an account and its latest transactions: node explorer.ts ADDRESS
import {
  createClient,
  formatNano,
  messageText,
  NotFoundError,
} from "@chain-query/client";

const chain = createClient({
  baseUrl: process.env.CHAIN_QUERY_URL ?? "http://127.0.0.1:4010",
  ...(process.env.CHAIN_API_KEY && { apiKey: process.env.CHAIN_API_KEY }),
});
const address = process.argv[2] ?? "";

const account = await chain.getAddressInformation({ address }).safe();
if (!account.ok) {
  console.error(`explorer: ${account.error.message}`);
  process.exit(account.error instanceof NotFoundError ? 1 : 2);
}
const { state, balance, block_id, last_transaction_id } = account.result;
console.log(
  `${state}, balance ${formatNano(balance)}, at block ${block_id.seqno}`,
);

// From the transaction of this balance; unused accounts have lt 0.
const { lt, hash } = last_transaction_id;
const cursor = { lt, hash };
const maxItems = lt === "0" ? 0 : 10;
for await (const tx of chain.transactions({
  address,
  cursor,
  maxItems,
})) {
  const time = new Date(tx.utime * 1_000).toISOString();
  const received = formatNano(tx.in_msg?.value ?? 0);
  const sent = tx.out_msgs.reduce(
    (sum, { value }) => sum + BigInt(value),
    0n,
  );
  const text = [tx.in_msg, ...tx.out_msgs].map(messageText).find(Boolean);
  const change = `+${received} -${formatNano(sent)}`;
  console.log(`${time}  ${change}${text ? `  "${text}"` : ""}`);
}
