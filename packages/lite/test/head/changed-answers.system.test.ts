import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { liteClient } from "../../src/lite-client.ts";
import { adnlKey } from "../../src/wire/adnl/handshake.ts";
import { serveAdnl } from "../../src/wire/adnl/serve.ts";
import { readQuery, writeAnswer } from "../../src/wire/tl/queries.ts";
import { changedAnswers } from "./changed-answers.ts";
import { at } from "./honest-proofs.ts";

test("a server that leads to its own chain by a second answer to the same query is quarantined", async () => {
  const { target, answer } = changedAnswers();
  const zeroState = at(0).id;
  const onQuery = (bytes: Uint8Array): Uint8Array => {
    const { name } = readQuery(bytes);
    if (name === "getVersion") return writeAnswer(name, { mode: 0, version: 1, capabilities: 0n, now: 0 });
    if (name !== "getMasterchainInfo") return answer(bytes);
    return writeAnswer(name, { last: target, stateRootHash: new Uint8Array(32), init: zeroState });
  };
  const key = adnlKey(new Uint8Array(32).fill(7));
  const server = await serveAdnl({ key, port: 0, onQuery });
  const address = { host: "127.0.0.1", port: server.port, publicKey: key.publicKey, slices: [] };
  const config = { zeroState, initBlock: zeroState, hardforks: [], servers: [address], warnings: [] };
  const client = liteClient(config);
  try {
    const server = await until(() => {
      expect(client.trusted).toEqual(zeroState);
      return client.servers.find(({ state }) => state === "quarantined");
    });
    expect(client.head).toBeUndefined();
    expect(server.reason).toContain("a candidate: ");
  } finally {
    await client.close();
    await server.close();
  }
});
