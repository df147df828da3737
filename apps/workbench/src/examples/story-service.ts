/** Runs the example chain and sends the request of each scene to a real service on it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toRawAddress } from "@chain-query/client/address";
import { type Characters, tellStory } from "@chain-query/local-chain/story";
import { operations } from "@chain-query/openapi/operations";
import { parseServeOptions, serve } from "@chain-query/server";
import { earlyScenes, lateScenes, type Scene, type StoryFacts, type TransactionName } from "./scenes.ts";

/** A scene with the body of the answer, if its request was sent. */
export interface Played extends Scene {
  readonly answer?: Json;
}

/** Any JSON object. */
export interface Json {
  readonly [member: string]: unknown;
}

interface ListedTransaction {
  readonly transaction_id: TransactionName;
  readonly utime: number;
  readonly out_msgs: readonly { readonly created_lt: string }[];
}

/** Resolves to all scenes with their answers. `atHead` may send more requests to the service, when the chain is complete. */
export async function playScenes(atHead: (url: string) => Promise<void> = async () => undefined): Promise<Played[]> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-story-"));
  const played: Played[] = [];
  let service: Awaited<ReturnType<typeof serve>> | undefined;
  let facts: StoryFacts | undefined;
  try {
    await tellStory(join(folder, "chain"), async (chapter, who) => {
      service ??= await serve(optionsFor(folder));
      const ask = asker(service.url);
      if (chapter === "head") facts = await factsOf(who, ask);
      const scenes = facts === undefined ? earlyScenes : lateScenes(who, facts);
      for (const scene of scenes) if (scene.chapter === chapter) played.push(await play(scene, ask));
      if (chapter === "head") await atHead(service.url);
    });
  } finally {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  }
  return played;
}

function optionsFor(folder: string): Parameters<typeof serve>[0] {
  // The chain keeps all of its history, and one of the scenes is about a node that keeps two days.
  const limits = ["--keyless-rate=0", "--retention=48h"];
  const flags = ["--port=0", "--no-produce", ...limits, "--log-level=silent", `--chain=${join(folder, "chain")}`];
  return parseServeOptions(flags, {});
}

type Ask = (operationId: string, input: Scene["input"]) => Promise<{ readonly status: number; readonly body: Json }>;

function asker(url: string): Ask {
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

async function play(scene: Scene, ask: Ask): Promise<Played> {
  if (scene.status === undefined) return scene;
  const [operationId = ""] = scene.name.split(".");
  const { status, body } = await ask(operationId, scene.input);
  if (status !== scene.status) {
    throw new Error(`${scene.name}: expected status ${scene.status}, got ${status}: ${JSON.stringify(body)}`);
  }
  return { ...scene, answer: body };
}

async function factsOf(who: Characters, ask: Ask): Promise<StoryFacts> {
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
    shard: await shardOf(thanks.transaction_id.lt, ask),
  };
}

async function historyOf(account: Characters["alice"], ask: Ask): Promise<ListedTransaction[]> {
  const { body } = await ask("getTransactionsStd", { address: toRawAddress(account), limit: 5 });
  return (body["result"] as { transactions: ListedTransaction[] }).transactions.map((transaction) => {
    const { lt, hash } = transaction.transaction_id;
    return { ...transaction, transaction_id: { lt, hash } };
  });
}

/** Alice's account begins with a bit 0, so the first half of the basechain holds it. */
async function shardOf(lt: string, ask: Ask): Promise<string> {
  const { body } = await ask("lookupBlock", { workchain: 0, shard: "4611686018427387904", lt });
  return (body["result"] as { shard: string }).shard;
}
