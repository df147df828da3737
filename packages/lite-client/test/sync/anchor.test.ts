import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "@chain-query/format/cells";
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AnchorError, readAnchor, writeAnchor } from "../../src/sync/anchor.ts";

const block = (seqno: number, fill: number): BlockId => ({
  ...MASTERCHAIN,
  seqno,
  ...{ rootHash: new Uint8Array(32).fill(fill), fileHash: new Uint8Array(32).fill(fill + 1) },
});
const zeroState = block(0, 1);
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "anchor-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("an anchor is read as it was last written, and nothing else stays", async () => {
  const path = join(await mkdtemp(join(folder, "own-")), "anchor.json");
  expect(await readAnchor(path, zeroState)).toBeUndefined();
  await writeAnchor(path, zeroState, block(5, 3));
  await writeAnchor(path, zeroState, block(7, 5));
  expect(await readAnchor(path, zeroState)).toEqual(block(7, 5));
  expect(await readdir(join(path, ".."))).toEqual(["anchor.json"]);
  await expect(writeAnchor(path, zeroState, { ...block(9, 7), workchain: 0 })).rejects.toThrow(RangeError);
});

test("an anchor with another character, or without some, is damaged", async () => {
  const path = join(folder, "damaged.json");
  await writeAnchor(path, zeroState, block(5, 3));
  const text = await readFile(path, "utf8");
  const places = Array.from({ length: text.trim().length }, (_, at) => at).filter((at) => at % 7 === 0);
  const changed = places.flatMap((at) => [
    text.slice(0, at),
    `${text.slice(0, at)}${text[at] === "0" ? "1" : "0"}${text.slice(at + 1)}`,
  ]);
  for (const content of [...changed, "null", "[]", "{}", text + text]) {
    await writeFile(path, content);
    const read = await readAnchor(path, zeroState).catch((error: unknown) => error);
    expect(read, content).toBeInstanceOf(AnchorError);
    expect(String(read)).toBe(
      `AnchorError: ${path}: the anchor is damaged; remove it to verify from the trusted block of the network again`,
    );
  }
});

test("an anchor of another network is refused in one line that names both", async () => {
  const path = join(folder, "foreign.json");
  await writeAnchor(path, zeroState, block(5, 3));
  const reading = readAnchor(path, block(0, 9));
  await expect(reading).rejects.toMatchObject({ isUserError: true });
  const networks = `zero state ${"01".repeat(32)}, expected ${"09".repeat(32)}`;
  const message = `${path}: the anchor is of another network, with ${networks}; name another file, or remove it`;
  await expect(reading).rejects.toThrow(message);
  await expect(readAnchor(path, { ...zeroState, fileHash: zeroState.rootHash })).rejects.toThrow("of another network");
});

test("an anchor of a later format is refused", async () => {
  const path = join(folder, "later.json");
  const content = { format: 2, other: "fields" };
  const checksum = Buffer.from(sha256(Buffer.from(JSON.stringify(content)))).toString("hex");
  await writeFile(path, JSON.stringify({ ...content, checksum }));
  await expect(readAnchor(path, zeroState)).rejects.toThrow("the anchor has format 2, expected 1; update this program, or");
});

test("another error of the file system stays as it is", async () => {
  await expect(readAnchor(folder, zeroState)).rejects.toMatchObject({ code: "EISDIR" });
});
