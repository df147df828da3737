import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAnchor, writeAnchor } from "../../src/head/anchor.ts";
import { followBlockProof } from "../../src/head/follow-block-proof.ts";
import { connect } from "../../src/wire/adnl/connect.ts";
import { adnlKey } from "../../src/wire/adnl/handshake.ts";
import { serveAdnl } from "../../src/wire/adnl/serve.ts";
import { answerProof, at } from "./honest-proofs.ts";

test("a restart verifies from the anchor of the start before, over a connection to a lite server", async () => {
  const key = adnlKey(new Uint8Array(32).fill(7));
  const server = await serveAdnl({ key, port: 0, onQuery: (bytes) => answerProof(bytes, 2) });
  const folder = await mkdtemp(join(tmpdir(), "anchor-"));
  const path = join(folder, "anchor.json");
  const connection = await connect({ host: "127.0.0.1", port: server.port, publicKey: key.publicKey });
  try {
    const zeroState = at(0).id;
    const config = { zeroState, initBlock: zeroState, hardforks: [] };
    const start = async () => {
      const trusted = (await readAnchor(path, config)) ?? zeroState;
      const verified = await followBlockProof(connection, trusted, { signal: AbortSignal.timeout(60_000) });
      if (verified.keyBlock) await writeAnchor(path, config, verified.keyBlock);
      return { from: trusted.seqno, to: verified.block.seqno, signatures: verified.signatures };
    };
    expect(await start()).toEqual({ from: 0, to: 24, signatures: 6 * 3 });
    expect(await start()).toEqual({ from: 20, to: 24, signatures: 3 });
  } finally {
    connection.close();
    await server.close();
    await rm(folder, { recursive: true });
  }
});
