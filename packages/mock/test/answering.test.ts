import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { answering, answers, type Contract, Refusal } from "../src/answering.ts";
import { example } from "./documented.ts";

/** A contract as another place could read it: one operation, whose answer says what was preferred. */
const contract: Contract = {
  operationIds: ["getConsensusBlock"],
  operation: () => undefined,
  operationFor({ path }) {
    if (!path.endsWith("/getConsensusBlock")) throw new Refusal(404, `no ${path}`);
    return {
      operationId: "getConsensusBlock",
      examples: [],
      statusOf: () => undefined,
      ask: async (_, preference) => ({ answer: { status: 200, headers: {}, body: preference }, complaints: [] }),
    };
  },
  methodsOf: () => [],
};
const respond = answering(answers(contract, { set() {}, clear() {}, of: () => undefined }, { dynamic: false, seed: 1 }));
const question = { method: "POST", path: "/api/v2/getConsensusBlock", query: {}, headers: {}, body: {}, size: 2, client: "" };

describe("answering", () => {
  test("puts the documented answer to a contract that is read elsewhere", async () => {
    const { condition, response } = example("getConsensusBlock", "current");
    expect((await respond(question)).body).toEqual({ code: response.status, example: condition });
  });

  test("makes failures of what that contract refuses", async () => {
    expect((await respond({ ...question, path: "/elsewhere" })).body).toEqual({ ok: false, error: "no /elsewhere", code: 404 });
  });

  test("loads neither Prism nor anything of Node.js", async () => {
    const seen = new Set<string>();
    const outside: string[] = [];
    async function read(url: URL): Promise<void> {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      const text = await readFile(url, "utf8");
      for (const [, types, from = ""] of text.matchAll(/^(?:import|export)( type)? [^;]*? from "([^"]+)"/gm)) {
        if (types !== undefined) continue;
        if (from.startsWith(".")) await read(new URL(from, url));
        else outside.push(from);
      }
    }
    await read(new URL("../src/answering.ts", import.meta.url));
    expect(seen.size).toBeGreaterThan(5);
    expect(outside).toEqual(["@chain-query/openapi/examples.json"]);
  });
});
