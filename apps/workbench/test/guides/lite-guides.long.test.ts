/** The commands of the guides about lite servers, as they are written. */
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf, type Lasting, startReader } from "./reader.ts";

/** The second guide uses the configuration of the first one. */
const blocks = blocksOf("local-lite-server.md", "live-network.md");
const configIn = (folder: string) => join(folder, "global.config.json");

const lasting: readonly Lasting[] = [
  [/ serve /, (_, folder) => existsSync(configIn(folder)) && readFileSync(configIn(folder), "utf8") !== ""],
  [/local-chain run /, () => true],
  [/chain-query\/server /, (output) => output.includes("http://")],
];

test("every command and program of the guides works, one after another", async () => {
  expect(blocks.length).toBeGreaterThan(8);
  await using reader = await startReader("lite-guides", ["4920", "8080"], lasting);
  const outputs: string[] = [];
  for (const block of blocks) {
    outputs.push(await reader.run(block));
    const config = configIn(reader.folder);
    // The reader's own file of servers with the whole history.
    if (existsSync(config)) copyFileSync(config, join(reader.folder, "archive.config.json"));
  }
  expect(outputs.join("\n")).toContain("head");
});
