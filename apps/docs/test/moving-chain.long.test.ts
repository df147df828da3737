import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { formatNano } from "@chain-query/client";
import type { OperationId } from "@chain-query/openapi/operations";
import { responseTo } from "@chain-query/openapi/responses";
import { showIfFailed } from "@chain-query/testing/until";
import { Address, beginCell, Dictionary, storeTransaction, type Transaction, type TransactionDescription } from "@ton/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { landingPage } from "../src/pages/landing.ts";
import { address, renderedNextPage, useExamples } from "./example-programs.ts";
import { codeOf, guideCode } from "./guide-code.ts";
import { run } from "./programs.ts";

/** What happens on the chain between two requests. */
type Event = "deposit" | "deploy" | "bounced" | "returned" | "external" | "clock";

const used = useExamples();
const { at } = used;
const other = Address.parse("EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz");
const own = Address.parse(address);
const bob = other.toString();
const skipped = { type: "skipped", reason: "no-state" } as const;

interface Shown {
  readonly transaction_id: { readonly lt: string; readonly hash: string };
  readonly utime: number;
  readonly fee: string;
  readonly in_msg?: { readonly value: string; readonly source: { readonly account_address: string } };
  readonly out_msgs: readonly { readonly value: string }[];
  /** Whether it is a deposit, which the API does not show. */
  readonly credited?: boolean;
}

const isDeposit = (event: Event): boolean => event === "deposit" || event === "deploy";

/** A transaction with cells as a node has them, as the API shows it. */
function transactionOf(event: Event, number: number): Shown & { readonly [member: string]: unknown } {
  const coins = BigInt(number) * 1_000_000n;
  const description: TransactionDescription =
    event === "clock"
      ? {
          ...{ type: "tick-tock", isTock: false, aborted: false, destroyed: false, actionPhase: undefined },
          storagePhase: { storageFeesCollected: 0n, storageFeesDue: undefined, statusChange: "unchanged" },
          computePhase: skipped,
        }
      : {
          ...{ type: "generic", creditFirst: true, aborted: event === "returned", destroyed: false, computePhase: skipped },
          bouncePhase:
            event === "returned"
              ? { type: "ok", messageSize: { cells: 1n, bits: 1n }, messageFees: 1n, forwardFees: 1n }
              : undefined,
        };
  const internal = {
    ...{ type: "internal", ihrDisabled: true, bounce: event === "returned", bounced: event === "bounced" },
    ...{ src: other, dest: own, value: { coins }, ihrFee: 0n, forwardFee: 0n, createdLt: BigInt(number), createdAt: 0 },
  } as const;
  const external = { type: "external-in", dest: own, importFee: 0n } as const;
  const info = event === "external" ? external : internal;
  const code = beginCell().endCell();
  const lt = BigInt(2_000 + number) * 1_000_000n + 1n;
  const cell = beginCell()
    .store(
      storeTransaction({
        ...{ address: BigInt(`0x${own.hash.toString("hex")}`), lt, prevTransactionHash: 0n, prevTransactionLt: 0n, now: 0 },
        ...{ outMessagesCount: 0, oldStatus: "active", endStatus: "active", totalFees: { coins: 0n }, description },
        stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
        outMessages: Dictionary.empty(),
        inMessage: event === "clock" ? null : { info, init: event === "deploy" ? { code, data: code } : null, body: code },
      } as Transaction),
    )
    .endCell();
  const account = (text: string) => ({ "@type": "accountAddress", account_address: text });
  const hash = cell.hash().toString("base64");
  const message = {
    ...{ source: account(event === "external" ? "" : other.toString()), destination: account(own.toString()) },
    ...{ value: event === "external" ? "0" : String(coins), msg_data: { "@type": "msg.dataRaw", body: "", init_state: "" } },
  };
  const utime = 1_767_326_400 + number;
  return {
    credited: isDeposit(event),
    transaction_id: { lt: String(lt), hash },
    ...{ utime, fee: "0", data: cell.toBoc().toString("base64"), out_msgs: [], ...(event !== "clock" && { in_msg: message }) },
  };
}

/** What the chain was when a request arrived. Between two requests, coins move from `other` to `own`. */
interface Moment {
  readonly operation: string;
  readonly head: number;
  readonly history: readonly Shown[];
  readonly balance: bigint;
}

const documented = responseTo("getTransactionsStd", { address, limit: "100" }).body["result"] as { transactions: Shown[] };
const ofOther = BigInt((responseTo("getAddressInformation", { address: bob }).body["result"] as { balance: string }).balance);
const ownAtStart = 7_491_880_250n;
const kinds: readonly Event[] = ["deposit", "bounced", "external", "deploy", "returned", "clock", "deposit"];
const events = [
  ...Array.from({ length: 27 }, (_, index): Event => kinds[(index * 5) % kinds.length] ?? "deposit"),
  "deposit" as const,
];
const moves: readonly Event[] = ["deposit", "deploy", "bounced"];

/** The documented chain, on which one transaction or several happen after each request; it returns short pages, in any order if so wished. */
async function serveMovingChain({
  pending = 0,
  mostItems = 4,
  reorders = false,
}: Pick<Row, "pending" | "mostItems"> & { readonly reorders?: boolean } = {}) {
  const blocks: Omit<Moment, "operation">[] = [{ head: 840, history: documented.transactions, balance: ownAtStart }];
  const moments: Moment[] = [];
  const rest = events.entries();
  const latest = () => blocks.at(-1) ?? { head: 0, history: [], balance: 0n };
  const move = (): void => {
    let { head, history, balance } = latest();
    for (const [index, event] of rest) {
      history = [transactionOf(event, index + 1), ...history];
      if (moves.includes(event)) balance += BigInt(index + 1) * 1_000_000n;
      if (index % 3 === 2) break;
    }
    blocks.push({ head: ++head, history, balance });
  };
  let waiting = pending;
  const results: Readonly<Record<string, (input: Readonly<Record<string, string>>, usual: () => unknown) => unknown>> = {
    getMasterchainInfo: (_, usual) => ({ ...Object(usual()), last: { ...Object(usual()).last, seqno: latest().head } }),
    getConsensusBlock: (_, usual) => ({ ...Object(usual()), consensus_block: latest().head }),
    getAddressInformation: ({ address: of, seqno }) => {
      const block = blocks.find(({ head }) => head === Number(seqno)) ?? latest();
      const isOwn = own.equals(Address.parse(of ?? ""));
      const usual = responseTo("getAddressInformation", { address: of }).body["result"] as { block_id: object };
      const changed = { balance: String(isOwn ? block.balance : ofOther + ownAtStart - block.balance) };
      const last = isOwn && { last_transaction_id: block.history[0]?.transaction_id };
      return { ...usual, ...changed, ...last, block_id: { ...usual.block_id, seqno: block.head } };
    },
    getTransactionsStd: ({ lt, limit = "10", to_lt = "0" }) => {
      const newer = latest().history.filter(({ transaction_id }) => BigInt(transaction_id.lt) > BigInt(to_lt));
      const from = lt === undefined ? 0 : newer.findIndex(({ transaction_id }) => transaction_id.lt === lt);
      const items = newer.slice(from, from + Math.min(Number(limit), mostItems));
      const end = { lt: "0", hash: Buffer.alloc(32).toString("base64") };
      const next = newer[from + items.length]?.transaction_id ?? end;
      // Half of the pages begin with the oldest, as an index may return them.
      const transactions = reorders && moments.length % 2 === 0 ? items.toReversed() : items;
      return { "@type": "raw.transactions", transactions, previous_transaction_id: next };
    },
    lookupBlock: ({ seqno }, usual) =>
      Number(seqno) > 840 && Number(seqno) <= latest().head ? { shard: "-9223372036854775808" } : usual(),
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const operation = pathname.slice("/api/v2/".length) as OperationId;
    const body = await text(request);
    const input = body === "" ? Object.fromEntries(searchParams) : JSON.parse(body);
    moments.push({ operation, ...latest() });
    const usual = responseTo(operation, input);
    const result = results[operation]?.(input, () => usual.body["result"]) ?? usual.body["result"];
    const found = operation === "tryLocateResultTx" && waiting-- > 0 ? undefined : result;
    const failed = { ok: false, error: "waits in a queue", code: 404, reason: "message_pending" };
    const envelope = found !== undefined ? { ok: true, result: found } : usual.status > 200 ? usual.body : failed;
    response.writeHead(found === undefined ? Math.max(404, usual.status) : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(envelope));
    move();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, moments };
}

test("the deposit watcher prints the ledger of an account that moves between every two requests, also when it is killed", async () => {
  const before = ["12", "0.25", "0.75"];
  const ledger = [
    ...before,
    ...events.flatMap((event, index) => (isDeposit(event) ? [formatNano(BigInt(index + 1) * 1_000_000n)] : [])),
  ];
  const { url } = await serveMovingChain({ reorders: true });
  const printed: string[] = [];
  const run = (): { child: ReturnType<typeof spawn>; reached: (count: number) => Promise<void> } => {
    const child = spawn(process.execPath, [at("deposit-watcher/watch.ts"), address], {
      cwd: dirname(at("deposit-watcher/watch.ts")),
      env: { ...process.env, CHAIN_QUERY_URL: url, CHAIN_API_KEY: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    showIfFailed("the deposit watcher", () => `${printed.join("\n")}\n${errors}`);
    const lines = createInterface(child.stdout);
    lines.on("line", (line) => printed.push(/^\+(\S+) from /.exec(line)?.[1] ?? line));
    const reached = async (count: number): Promise<void> => {
      while (new Set(printed).size < count) await once(lines, "line");
    };
    return { child, reached };
  };
  const first = run();
  await first.reached(2);
  first.child.kill("SIGKILL");
  await once(first.child, "close");
  const second = run();
  await second.reached(ledger.length);
  second.child.kill("SIGTERM");
  await once(second.child, "close");
  // The deposit that was being handled when the watcher was killed may be printed twice.
  expect([...new Set(printed)]).toEqual(ledger);
  expect(printed.length - ledger.length).toBeLessThanOrEqual(1);
}, 120_000);

interface Row {
  /** A line of its code, or the path of an example. */
  readonly sample: string;
  readonly args?: readonly string[];
  /** Requests for a result that come before the message has arrived. */
  readonly pending?: number;
  /** The most that a page has, even if its limit is higher; 4 by default. */
  readonly mostItems?: number;
  /** The output that the ledger has at the moments of the requests; by default what the guide shows, which is of the past. */
  readonly expected?: (...moments: readonly Moment[]) => readonly string[];
}

const lts = (history: readonly Shown[]): string[] => history.map(({ transaction_id }) => transaction_id.lt);
const after = (history: readonly Shown[] | undefined, lt: bigint) =>
  (history ?? []).filter(({ transaction_id }) => BigInt(transaction_id.lt) > lt);
const timeOf = ({ utime }: Shown): string => new Date(utime * 1_000).toISOString();
const rows: readonly Row[] = [
  {
    sample: 'console.log(lt, "from", from, tx.in_msg?.value, "sent", sent);',
    expected: (first) =>
      (first?.history ?? []).map(({ transaction_id: { lt }, in_msg, out_msgs }) => {
        const from = in_msg?.source.account_address.slice(0, 6) || "outside";
        return `${lt} from ${from} ${in_msg?.value} sent ${out_msgs.length}`;
      }),
  },
  {
    sample: "console.log(lt, second.transactions[0]?.transaction_id.lt);",
    expected: (first) => [`${lts(first?.history ?? [])[2]} ${lts(first?.history ?? [])[2]}`],
  },
  {
    sample: "const rest = chain.transactions({ address, cursor, maxItems: 1 });",
    expected: (first) => {
      const [one, two, three] = lts(first?.history ?? []);
      return [`${one} ${two}`, `later ${three}`];
    },
  },
  {
    sample: "newest = first ?? newest;",
    mostItems: 1,
    expected: (first) => {
      const newer = lts(after(first?.history, 823_000_001n));
      return [...newer.map((lt) => `new ${lt}`), `read up to ${newer[0]}`];
    },
  },
  { sample: "const oldest = chain.transactions({ address, cursor, archival: true });", mostItems: 1 },
  {
    sample: "console.log(last.seqno - consensus_block, account.block_id.seqno);",
    // No response is as of a block after the head, and no lag is negative.
    expected: (...moments) => {
      const at = (name: string): number => moments.find(({ operation }) => operation === name)?.head ?? 0;
      const consensus = at("getConsensusBlock");
      return [`${Math.max(0, at("getMasterchainInfo") - consensus)} ${consensus}`];
    },
  },
  { sample: "console.log(byHeight.root_hash === byTime.root_hash);" },
  { sample: 'console.log(sent.transaction_id.lt, "->", received.transaction_id.lt);' },
  { sample: 'console.log(message.value, "is on its way");', pending: 1, expected: () => ["3500000000 is on its way"] },
  { sample: 'console.log(message.value, "arrived in", lt);' },
  { sample: "const ask = () => chain.tryLocateResultTx(message).safe();", pending: 2 },
  { sample: "seqno: last.seqno,\n});" },
  {
    sample: "for await (const tx of chain.transactions({ address, maxItems: 3 })) {",
    expected: (first, second) => [
      `active ${first?.balance}`,
      ...(second?.history ?? []).slice(0, 3).map((tx) => `${tx.transaction_id.lt} ${timeOf(tx)}`),
    ],
  },
  {
    sample: "const history = chain.transactions({ address, maxItems: 2 });",
    expected: (first, _, third) => [
      `${first?.head} active`,
      ...(third?.history ?? []).slice(0, 2).map(({ transaction_id: { lt }, fee }) => `${lt} ${fee}`),
    ],
  },
  {
    sample: "console.log((await head).last.seqno, (await consensus).consensus_block);",
    expected: (...moments) => {
      const at = (name: string) => moments.find(({ operation }) => operation === name)?.head;
      return [`${at("getMasterchainInfo")} ${at("getConsensusBlock")}`];
    },
  },
  { sample: "console.log(result.ok || result.error.name);" },
  {
    sample: "pageSize: 2, maxItems: 500, toLt: 433_000_001n",
    expected: (first) => after(first?.history, 433_000_001n).map(({ transaction_id: { lt }, fee }) => `${lt} ${fee}`),
  },
  { sample: "await chain.raw.GET", expected: (first, second) => [`${first?.head} undefined 200 1`, `${second?.head}`] },
  { sample: 'if (tx.transaction_id.lt === "433000001") break;' },
  {
    sample: "explorer/explorer.ts",
    args: [address],
    expected: (first) => [
      `active, balance ${formatNano(first?.balance ?? 0n)}, at block ${first?.head}`,
      ...(first?.history ?? []).slice(0, 10).map((tx) => {
        const sent = tx.out_msgs.reduce((sum, { value }) => sum + BigInt(value), 0n);
        const text =
          { "1199000001": '  "Welcome, Carol"', "433000001": '  "Thanks for the coffee"' }[tx.transaction_id.lt] ?? "";
        return `${timeOf(tx)}  +${formatNano(tx.in_msg?.value ?? 0)} -${formatNano(sent)}${text}`;
      }),
    ],
  },
  {
    sample: "balances/balances.ts",
    args: [address, bob],
    // Coins that move between two accounts while they are read are neither lost nor counted twice.
    expected: (first) => [
      `${address} ${formatNano(first?.balance ?? 0n)}`,
      `${bob} ${formatNano(ofOther + ownAtStart - (first?.balance ?? 0n))}`,
      `sum ${formatNano(ofOther + ownAtStart)}`,
    ],
  },
];

const readme = readFileSync(new URL("../../../packages/client/README.md", import.meta.url), "utf8");
const landing = codeOf("landing.md", landingPage().markdown ?? "");
/** The conformance kit requests the documented examples. */
const blocks = [...guideCode(), ...landing, ...codeOf("README.md", readme)].filter(
  ({ language, file, code }) => language === "ts" && file === undefined && !code.includes("validateService"),
);

describe("while the chain moves between every two requests", () => {
  test.for(rows)("a sample prints what the ledger has: $sample", async (row) => {
    const { sample, args = [], expected } = row;
    const { url, moments } = await serveMovingChain(row);
    const block = blocks.find(({ code }) => code.includes(sample));
    const name = block === undefined ? at(sample) : at(`sample-${rows.findIndex((row) => row.sample === sample)}.mts`);
    if (block !== undefined) writeFileSync(name, block.program.replaceAll("http://127.0.0.1:4010", url));
    const { stdout, stderr } = await run(process.execPath, [name, ...args], { env: { ...process.env, CHAIN_QUERY_URL: url } });
    expect(stderr).toBe("");
    const shown = block?.printed?.text.trim().split("\n");
    expect(stdout.trim().split("\n")).toEqual(expected?.(...moments) ?? shown);
    expect(moments.length).toBeGreaterThan(1);
  });

  test("the Next.js page shows the balance and the transactions of one moment", async () => {
    const { url, moments } = await serveMovingChain({ mostItems: 5 });
    // Until the newest transactions have returned values.
    for (let request = 0; request < 2; request++) await fetch(`${url}/api/v2/getMasterchainInfo`);
    const html = await renderedNextPage(used, url, address);
    const [first, ...others] = moments.slice(2);
    expect(others.map(({ operation }) => operation)).toEqual(["getTransactionsStd"]);
    const shown = Array.from(html.matchAll(/<(?:h1|li)>([\d.]+)/g), ([, amount]) => amount);
    const values = first?.history.slice(0, 5).map(({ in_msg, credited = true }) => (credited ? (in_msg?.value ?? 0) : 0)) ?? [];
    expect(first?.history.slice(0, 5).map(({ credited }) => credited)).toContain(false);
    expect(shown).toEqual([first?.balance ?? 0n, ...values].map((amount) => formatNano(amount)));
  });

  test("no other sample reads more than once", async () => {
    const others = blocks.filter(({ code }) => !rows.some(({ sample }) => code.includes(sample)));
    expect(others.length).toBeGreaterThan(5);
    for (const [index, { place, program }] of others.entries()) {
      const { url, moments } = await serveMovingChain();
      writeFileSync(at(`other-${index}.mts`), program.replaceAll("http://127.0.0.1:4010", url));
      await run(process.execPath, [at(`other-${index}.mts`)]);
      expect(moments.length, place).toBeLessThanOrEqual(1);
    }
  });
});
