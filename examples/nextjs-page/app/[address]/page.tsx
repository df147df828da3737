// Renders an account on the server: /EQ…
import {
  BadRequestError,
  createClient,
  depositOf,
  formatNano,
  InvalidArgumentError,
  messageText,
} from "@chain-query/client";

const chain = createClient({
  baseUrl: process.env.CHAIN_QUERY_URL ?? "http://127.0.0.1:4010",
  ...(process.env.CHAIN_API_KEY && { apiKey: process.env.CHAIN_API_KEY }),
});

/** The state of a chain changes every few seconds: keep no page. */
export const dynamic = "force-dynamic";

export default async function Page({
  params,
}: {
  params: Promise<{ address: string }>;
}) {
  const { address } = await params;
  const found = await chain.getAddressInformation({ address }).safe();
  if (!found.ok) {
    if (
      !(
        found.error instanceof InvalidArgumentError ||
        found.error instanceof BadRequestError
      )
    )
      throw found.error;
    return <p role="alert">{found.error.message}</p>;
  }
  // From the transaction of this balance; unused accounts have lt 0.
  const { lt, hash } = found.result.last_transaction_id;
  const { transactions } =
    lt === "0"
      ? { transactions: [] }
      : await chain.getTransactionsStd({ address, lt, hash, limit: 5 });
  return (
    <main>
      <h1>{formatNano(found.result.balance)}</h1>
      <ul>
        {transactions.map((tx) => (
          <li key={tx.transaction_id.lt}>
            {formatNano(depositOf(tx))} {messageText(tx.in_msg)}
          </li>
        ))}
      </ul>
    </main>
  );
}
