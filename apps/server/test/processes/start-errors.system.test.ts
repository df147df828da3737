import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, inject, test } from "vitest";
import { parseServeOptions } from "../../src/command/arguments.ts";
import { serve } from "../../src/processes/serve.ts";
import { temporaryFolder } from "../service.ts";

describe("serve", () => {
  test.each([
    ["a port that is taken", ["--port", "TAKEN"], /^--port \d+: taken on 127\.0\.0\.1; choose another, or 0 for any free one$/],
    ["the same with workers", ["--port", "TAKEN", "--workers", "2"], /^--port \d+: taken on 127\.0\.0\.1; choose another/],
    ["an address of another machine", ["--host", "203.0.113.9"], /^--host "203\.0\.113\.9": not an address of this machine$/],
    ["a chain that does not exist", ["--chain", "FOLDER/missing"], /^.*missing does not exist/],
    ["a folder of something else", ["--chain", "FOLDER/other"], /^.*other holds no chain/],
    ["a chain that is cut off", ["--chain", "FOLDER/cut"], /^.*chain\.mdb is cut off/],
    ["a chain of another version", ["--chain", "FOLDER/newer"], /^.*chain\.mdb has format 9; this version reads format \d+$/],
    ["a folder without keys", ["--keys", "FOLDER/other"], /^keys .*other: the folder holds notes\.txt and no keys/],
  ])("%s is one line for the operator", async (_, flags, message) => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "other"));
    writeFileSync(join(folder.path, "other", "notes.txt"), "x");
    cpSync(inject("chain"), join(folder.path, "cut"), { recursive: true });
    const file = join(folder.path, "cut", "chain.mdb");
    writeFileSync(file, readFileSync(file).subarray(0, 200_000));
    cpSync(inject("chain"), join(folder.path, "newer"), { recursive: true });
    const store = open({
      path: join(folder.path, "newer", "chain.mdb"),
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: 20,
    });
    await store
      .openDB({ name: "meta", encoding: "binary", keyEncoding: "binary" })
      .put(Buffer.from("format"), Buffer.of(0, 0, 0, 9));
    await store.close();
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
    const address = squatter.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const chosen = flags.map((flag) => flag.replace("TAKEN", port).replace("FOLDER", folder.path));
    const defaults = Object.entries({ "--port": "0", "--chain": inject("chain"), "--keys": join(folder.path, "keys") });
    const args = [...defaults.filter(([flag]) => !chosen.includes(flag)).flat(), ...chosen];
    const error: unknown = await serve(parseServeOptions(["--no-produce", "--log-level", "silent", ...args], {})).catch(
      (reason: unknown) => reason,
    );
    await new Promise((resolve) => squatter.close(resolve));
    expect(error).toMatchObject({
      name: expect.stringMatching(/^(Start|ChainStore|KeyStore)Error$/),
      message: expect.stringMatching(message),
    });
  });
});
