import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { formatNano } from "@chain-query/client";
import { showIfFailed } from "@chain-query/testing/until";
import { Address, beginCell, Dictionary, storeTransaction, type Transaction, type TransactionDescription } from "@ton/core";
import { expect, onTestFinished, test } from "vitest";
import { address, useExamples } from "./example-programs.ts";

/** What happens on the chain between two requests. */
type Event = "deposit" | "bounced" | "returned" | "external" | "clock";

const { at } = useExamples();
const other = Address.parse(`0:${"7".repeat(64)}`);
const own = Address.parse(address);
const skipped = { type: "skipped", reason: "no-state" } as const;
const mostItems = 4;

/** A transaction with cells as a node has them, and as the API shows it. */
function transactionOf(event: Event, number: number): { shown: Record<string, unknown>; lt: string; hash: string } {
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
  const lt = BigInt(number) * 1_000_000n + 1n;
  const cell = beginCell()
    .store(
      storeTransaction({
        ...{ address: BigInt(`0x${own.hash.toString("hex")}`), lt, prevTransactionHash: 0n, prevTransactionLt: 0n, now: 0 },
        ...{ outMessagesCount: 0, oldStatus: "active", endStatus: "active", totalFees: { coins: 0n }, description },
        stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
        outMessages: Dictionary.empty(),
        inMessage: event === "clock" ? null : { info, body: beginCell().endCell() },
      } as Transaction),
    )
    .endCell();
  const account = (text: string) => ({ "@type": "accountAddress", account_address: text });
  const hash = cell.hash().toString("base64");
  const message = {
    ...{ source: account(event === "external" ? "" : other.toString()), destination: account(own.toString()) },
    ...{ value: event === "external" ? "0" : String(coins), msg_data: { "@type": "msg.dataRaw", body: "", init_state: "" } },
  };
  const shown = {
    transaction_id: { "@type": "internal.transactionId", lt: String(lt), hash },
    ...{ data: cell.toBoc().toString("base64"), out_msgs: [], ...(event === "clock" ? {} : { in_msg: message }) },
  };
  return { shown, lt: String(lt), hash };
}

/** An account that has another transaction, or several, at each request, and returns short pages. */
async function serveMovingChain(events: readonly Event[]) {
  const history: ReturnType<typeof transactionOf>[] = [];
  const pending = events.entries();
  const move = (): void => {
    for (const [index, event] of pending) {
      history.unshift(transactionOf(event, index + 1));
      if (index % 3 === 2) break;
    }
  };
  const server = createServer((request, response) => {
    const input = new URL(request.url ?? "/", "http://localhost").searchParams;
    const from = input.get("lt") === null ? 0 : history.findIndex(({ lt }) => lt === input.get("lt"));
    const items = history.slice(from, from + Math.min(Number(input.get("limit") ?? 10), mostItems));
    const { lt, hash } = history[from + items.length] ?? { lt: "0", hash: Buffer.alloc(32).toString("base64") };
    const result = {
      ...{ "@type": "raw.transactions", transactions: items.map(({ shown }) => shown) },
      previous_transaction_id: { "@type": "internal.transactionId", lt, hash },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ok: true, result }));
    move();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the deposit watcher prints the ledger of an account that moves between every two requests, also when it is killed", async () => {
  const kinds: readonly Event[] = ["deposit", "bounced", "external", "deposit", "returned", "clock", "deposit"];
  const events = Array.from({ length: 27 }, (_, index): Event => kinds[(index * 5) % kinds.length] ?? "deposit");
  events.push("deposit");
  const ledger = events.flatMap((event, index) => (event === "deposit" ? [formatNano(BigInt(index + 1) * 1_000_000n)] : []));
  const url = await serveMovingChain(events);
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
