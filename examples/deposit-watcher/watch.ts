// Prints the deposits to an account, without a gap after a restart:
// node watch.ts ADDRESS
import {
  existsSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import {
  createClient,
  depositOf,
  formatNano,
  messageText,
  watchTransactions,
} from "@chain-query/client";
import { toRawAddress } from "@chain-query/client/address";

const chain = createClient({
  baseUrl: process.env.CHAIN_QUERY_URL ?? "http://127.0.0.1:4010",
});
const address = toRawAddress(process.argv[2] ?? "");
// One file for all forms of an address, or deposits would be repeated.
const file = `last-deposit-${address.replace(":", "_")}.json`;

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

const from = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : "start";
const onError = (error: unknown) =>
  console.error("will try again:", error);

try {
  for await (const tx of watchTransactions(chain, address, {
    from,
    onError,
    signal: stop.signal,
  })) {
    // Not what came back: bounced transfers, and refused ones.
    const value = depositOf(tx);
    if (value > 0n) {
      const from = tx.in_msg?.source.account_address;
      const text = messageText(tx.in_msg);
      console.log(
        `+${formatNano(value)} from ${from}${text ? ` ${text}` : ""}`,
      );
    }
    // Saved after the deposit is handled: a crash in between repeats one,
    // and never loses one.
    writeFileSync(`${file}.new`, JSON.stringify(tx.transaction_id));
    renameSync(`${file}.new`, file);
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
