/** Runs the examples of the contract, and writes requests and responses into their files, whose comments and summaries it keeps. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toRawAddress } from "@chain-query/client/address";
import { containsAccount } from "@chain-query/format/identifiers";
import { type AccountFixtures, runScenario } from "@chain-query/local-chain/scenario";
import { operations } from "@chain-query/openapi/operations";
import { parseServeOptions, serve } from "@chain-query/server";
import { type Document, parseDocument } from "yaml";
import { type ChainValues, type ExampleCase, earlyCases, lateCases, type TransactionName } from "./cases.ts";

/** New texts of files, by their path in the folder of components. */
export type FileTexts = ReadonlyMap<string, string>;

/**
 * Resolves to the texts that the example files in the folder `openapi/components` must have.
 *
 * @param atHead - may send more requests to the service when the chain is complete.
 */
export async function exampleFiles(
  components: string,
  atHead: (url: string) => Promise<void> = async () => undefined,
): Promise<FileTexts> {
  const documents = new Map<string, Document>();
  const documentOf = (path: string): Document => {
    const known = documents.get(path) ?? parseDocument(readFileSync(join(components, path), "utf8"));
    documents.set(path, known);
    return known;
  };
  for (const { name, input, response } of await runCases(atHead)) {
    const [operationId = ""] = name.split(".");
    if (operations.find(({ id }) => id === operationId)?.method === "GET") {
      if (Object.keys(input).length > 0) documentOf(`examples/${name}.yaml`).set("x-request", input);
    } else if (existsSync(join(components, `examples/${name}.request.yaml`))) {
      documentOf(`examples/${name}.request.yaml`).set("value", input);
    }
    if (response) putResponse(documentOf(`examples/${name}.yaml`), response);
  }
  return new Map([...documents].map(([path, document]) => [path, document.toString(layout)]));
}

/** The layout of the formatter, so that a diff shows only changes. */
const layout = { lineWidth: 120, flowCollectionPadding: false };

/** The service makes a new `@extra` each time; an example keeps its own. */
function putResponse(document: Document, response: Json): void {
  for (const [member, value] of Object.entries(response)) {
    if (member !== "@extra") document.setIn(["value", member], value);
  }
}

/** A case with the body of the response, if its request was sent. */
interface CaseResult extends ExampleCase {
  readonly response?: Json;
}

/** Any JSON object. */
interface Json {
  readonly [member: string]: unknown;
}

interface ListedTransaction {
  readonly transaction_id: TransactionName;
  readonly utime: number;
  readonly out_msgs: readonly { readonly created_lt: string }[];
}

/** Runs the example chain, and sends the request of each case to a real service on it. */
async function runCases(atHead: (url: string) => Promise<void>): Promise<CaseResult[]> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-examples-"));
  const results: CaseResult[] = [];
  let service: Awaited<ReturnType<typeof serve>> | undefined;
  let values: ChainValues | undefined;
  try {
    await runScenario(join(folder, "chain"), async (step, who) => {
      service ??= await serve(optionsFor(folder));
      const ask = asker(service.url);
      if (step === "head") values = await valuesOf(who, ask);
      const cases = values === undefined ? earlyCases : lateCases(who, values);
      for (const each of cases) if (each.step === step) results.push(await runCase(each, ask));
      if (step === "head") await atHead(service.url);
    });
  } finally {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

function optionsFor(folder: string): Parameters<typeof serve>[0] {
  // The chain keeps all of its history, and one of the cases is about a node that keeps two days.
  const limits = ["--keyless-rate=0", "--retention=48h"];
  const flags = ["--port=0", "--no-produce", ...limits, "--log-level=silent", `--chain=${join(folder, "chain")}`];
  return parseServeOptions(flags, {});
}

type Ask = (operationId: string, input: ExampleCase["input"]) => Promise<{ readonly status: number; readonly body: Json }>;

/** Sends requests to the service at a URL. */
export function asker(url: string): Ask {
  return async (operationId, input) => {
    const operation = operations.find(({ id }) => id === operationId);
    if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`);
    const { method, path } = operation;
    const query = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]);
    const response =
      method === "GET"
        ? await fetch(`${url}${path}?${new URLSearchParams(query)}`)
        : await fetch(`${url}${path}`, {
            method,
            headers: { "content-type": "application/json" },
            body: JSON.stringify(input),
          });
    return { status: response.status, body: (await response.json()) as Json };
  };
}

async function runCase(each: ExampleCase, ask: Ask): Promise<CaseResult> {
  if (each.status === undefined) return each;
  const [operationId = ""] = each.name.split(".");
  const { status, body } = await ask(operationId, each.input);
  if (status !== each.status) {
    throw new Error(`${each.name}: expected status ${each.status}, got ${status}: ${JSON.stringify(body)}`);
  }
  return { ...each, response: body };
}

async function valuesOf(who: AccountFixtures, ask: Ask): Promise<ChainValues> {
  const [points, welcome, change, thanks, gift] = await historyOf(who.alice, ask);
  const [waiting] = await historyOf(who.bob, ask);
  if (!(points && welcome && change && thanks && gift && waiting)) throw new Error("the example chain lacks a transaction");
  const transfer = thanks.out_msgs[0]?.created_lt ?? "";
  return {
    of: {
      points: points.transaction_id,
      welcome: welcome.transaction_id,
      change: change.transaction_id,
      thanks: thanks.transaction_id,
      gift: gift.transaction_id,
    },
    transferLt: transfer,
    waitingLt: waiting.out_msgs[0]?.created_lt ?? "",
    transferTime: thanks.utime,
    shard: await shardOf(who.alice, ask),
  };
}

async function historyOf(account: AccountFixtures["alice"], ask: Ask): Promise<ListedTransaction[]> {
  const { body } = await ask("getTransactionsStd", { address: toRawAddress(account), limit: 5 });
  return (body["result"] as { transactions: ListedTransaction[] }).transactions.map((transaction) => {
    const { lt, hash } = transaction.transaction_id;
    return { ...transaction, transaction_id: { lt, hash } };
  });
}

async function shardOf(account: AccountFixtures["alice"], ask: Ask): Promise<string> {
  const { body } = await ask("getOutMsgQueueSize", {});
  const { shards } = body["result"] as { shards: { id: { workchain: number; shard: string } }[] };
  const found = shards.find(({ id: { workchain, shard } }) => containsAccount({ workchain, shard: BigInt(shard) }, account));
  if (found === undefined) throw new Error("no shard has Alice's account");
  return found.id.shard;
}
