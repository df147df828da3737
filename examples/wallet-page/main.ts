// Shows the account of /?address=… if validators signed its state.
import { compareLt, createClient, formatNano } from "@chain-query/client";
import {
  boundedFetch,
  type KeyBlock,
  ProofError,
  trustStore,
  verifying,
} from "@chain-query/client/verify";

// The chain that `npx @chain-query/server` makes. For another network,
// write its values, from a source that you trust.
const zeroState = {
  rootHash: "ruCOA1HMnowe5qfMhQef/RYEzSBvMwd3nvdoOkbi0yk=",
  fileHash: "Ii9UQqzdtVllj2yta3zHoPttDv2wjCzKMTueGx9xvlk=",
};
const network = { name: "chain", globalId: 1001, zeroState };
const builtIn: KeyBlock = { seqno: 0, ...zeroState, time: 1_767_225_600 };
// For this chain only, which begins in the past. Otherwise: 30d.
const maxTrustAge = "36500d";

const place = `key-block ${zeroState.rootHash}`;
const saved = JSON.parse(localStorage.getItem(place) ?? "null");
const trust = trustStore({
  network,
  // A newer build may have a newer key block.
  keyBlock: saved?.seqno > builtIn.seqno ? saved : builtIn,
  save: (newer) => localStorage.setItem(place, JSON.stringify(newer)),
  maxTrustAge,
});

const parameters = new URLSearchParams(location.search);
const address = parameters.get("address") ?? "";
const baseUrl = parameters.get("service") ?? "http://127.0.0.1:4010";
const client = createClient({ baseUrl, fetch: boundedFetch() });
const chain = verifying(client, { trust });

let asOf: { seqno: number; time: number } | undefined;

async function refresh(): Promise<void> {
  try {
    const account = await chain.getAddressInformation({ address });
    const query = { address, limit: 5 };
    const page = await chain.getTransactionsStd(query);
    // Only those that led to this balance; the chain may have grown.
    const newest = account.last_transaction_id.lt;
    const transactions = page.transactions.filter(
      ({ transaction_id: { lt } }) => compareLt(lt, newest) <= 0,
    );
    asOf = { seqno: account.block_id.seqno, time: account.sync_utime };
    show("balance", formatNano(account.balance));
    show("transactions", ...transactions.map(lineOf));
    show("problem");
    document.body.className = "";
  } catch (error) {
    if (error instanceof ProofError) refute(error);
    // The values stay, and their age grows.
    else show("problem", `Not updated: ${error}`);
  }
  showAge();
  setTimeout(refresh, 5_000);
}

type Page = Awaited<ReturnType<typeof chain.getTransactionsStd>>;

function lineOf(transaction: Page["transactions"][number]): string {
  const { utime, in_msg, out_msgs } = transaction;
  const sent = out_msgs.reduce(
    (sum, { value }) => sum + BigInt(value),
    0n,
  );
  const received = formatNano(in_msg?.value ?? 0);
  const time = new Date(utime * 1_000).toISOString().slice(0, 16);
  const amounts = `received ${received}, sent ${formatNano(sent)}`;
  return `${time.replace("T", " ")} ${amounts}`;
}

/** Removes all values: those of a false answer are never shown. */
function refute({ part, message }: ProofError): void {
  asOf = undefined;
  show("balance");
  show("transactions");
  show(
    "problem",
    "This service does not prove its answer.",
    `${part}: ${message}`,
  );
  document.body.className = "refuted";
}

function showAge(): void {
  const age = Math.round(Date.now() / 1_000 - (asOf?.time ?? 0));
  const text = `verified as of block ${asOf?.seqno}, ${age} s ago`;
  show("verified", ...(asOf ? [text] : []));
}

function show(id: string, ...lines: string[]): void {
  const paragraphs = lines.map((line) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    return paragraph;
  });
  document.getElementById(id)?.replaceChildren(...paragraphs);
}

setInterval(showAge, 1_000);
await refresh();
