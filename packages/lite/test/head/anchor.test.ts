import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hex, sha256 } from "@chain-query/format/cells";
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { sharedFolder } from "@chain-query/testing/folders";
import { describe, expect, test } from "vitest";
import { AnchorError, readAnchor, writeAnchor } from "../../src/head/anchor.ts";
import { signedForkFile } from "../../src/head/signed-fork.ts";

const block = (seqno: number, fill: number): BlockId => ({
  ...MASTERCHAIN,
  seqno,
  ...{ rootHash: new Uint8Array(32).fill(fill), fileHash: new Uint8Array(32).fill(fill + 1) },
});
const zeroState = block(0, 1);
const config = { zeroState, initBlock: zeroState, hardforks: [] };
const folder = sharedFolder();

test("an anchor is read as it was last written, and nothing else stays", async () => {
  const path = join(await mkdtemp(join(folder, "own-")), "anchor.json");
  expect(readAnchor(path, config)).toBeUndefined();
  await writeAnchor(path, config, block(5, 3));
  await writeAnchor(path, config, block(7, 5));
  expect(readAnchor(path, config)).toEqual(block(7, 5));
  expect(await readdir(join(path, ".."))).toEqual(["anchor.json"]);
  await expect(writeAnchor(path, config, { ...block(9, 7), workchain: 0 })).rejects.toThrow(RangeError);
});

test("a record of signed chains stays in a file beside the anchor, and one that cannot be read is not absent", async () => {
  const path = join(await mkdtemp(join(folder, "own-")), "anchor.json");
  const { read, write, removal } = signedForkFile(path);
  expect(await read()).toBeUndefined();
  await write("the record");
  expect([await read(), await signedForkFile(path).read()]).toEqual(Array(2).fill("the record\n"));
  await rm(removal.replace("remove the file ", ""));
  expect(await read()).toBeUndefined();
  await mkdir(`${path}.fork`);
  await expect(read()).rejects.toThrow("EISDIR");
});

const damaged = /^[^\n]*the anchor is damaged; remove it to verify from the trusted block of the network again$/;

test("an anchor with another character, or without some, is damaged", async () => {
  const path = join(folder, "damaged.json");
  await writeAnchor(path, config, block(5, 3));
  const text = await readFile(path, "utf8");
  const places = Array.from({ length: text.trim().length }, (_, at) => at).filter((at) => at % 7 === 0);
  const changed = places.flatMap((at) => [
    text.slice(0, at),
    `${text.slice(0, at)}${text[at] === "0" ? "1" : "0"}${text.slice(at + 1)}`,
  ]);
  for (const content of [...changed, "null", "[]", "{}", text + text]) {
    await writeFile(path, content);
    expect(() => readAnchor(path, config), content).toThrow(damaged);
  }
});

test("an anchor of another network is refused in one line that names both", async () => {
  const path = join(folder, "foreign.json");
  await writeAnchor(path, config, block(5, 3));
  const reading = () => readAnchor(path, { ...config, zeroState: block(0, 9) });
  expect(reading).toThrow(expect.objectContaining({ isUserError: true }));
  const networks = `zero state ${"01".repeat(32)}, expected ${"09".repeat(32)}`;
  const message = `${path}: the anchor is of another network, with ${networks}; name another file, or remove it`;
  expect(reading).toThrow(message);
  expect(() => readAnchor(path, { ...config, zeroState: { ...zeroState, fileHash: zeroState.rootHash } })).toThrow(
    "of another network",
  );
});

const otherFormat = (format: number) => `of another version of this program, with format ${format}, expected 2; remove it to`;

test.each([
  ["an older format", { format: 1 }, otherFormat(1)],
  ["a newer format", { format: 3, network: undefined }, otherFormat(3)],
  ["no network", { network: undefined }, damaged],
  ["no origin", { origin: undefined }, damaged],
  ["an origin without a hash", { origin: [0] }, damaged],
  ["a seqno in text", { seqno: "5" }, damaged],
  ["a negative seqno", { seqno: -1 }, damaged],
  ["a hash that is no hexadecimal digits", { rootHash: "z".repeat(64) }, damaged],
  ["a short hash", { fileHash: "04" }, damaged],
  ["a network that is null", { network: null }, damaged],
])("an anchor with a right checksum and %s is refused", async (_, part, message) => {
  const path = join(folder, "incomplete.json");
  await writeAnchor(path, config, block(5, 3));
  const { checksum: __, ...written } = JSON.parse(await readFile(path, "utf8"));
  const content = { ...written, ...part };
  const checksum = hex(sha256(Buffer.from(JSON.stringify(content))));
  await writeFile(path, JSON.stringify({ ...content, checksum }));
  expect(() => readAnchor(path, config)).toThrow(expect.objectContaining({ name: "AnchorError", isUserError: true }));
  expect(() => readAnchor(path, config)).toThrow(message);
});

test("two writers at once leave the block of one of them, never a part, and no other file", async () => {
  const path = join(await mkdtemp(join(folder, "two-")), "anchor.json");
  await writeAnchor(path, config, block(1, 1));
  let isWriting = true;
  const write = async (seqno: number): Promise<void> => {
    for (let times = 0; times < 100; times++) await writeAnchor(path, config, block(seqno, seqno));
  };
  const writing = Promise.all([write(1), write(100)]).finally(() => {
    isWriting = false;
  });
  while (isWriting) {
    const seqno = (await readAnchor(path, config))?.seqno ?? 0;
    expect([1, 100]).toContain(seqno);
    await new Promise(setImmediate);
  }
  await writing;
  expect(await readdir(join(path, ".."))).toEqual(["anchor.json"]);
});

test("a failed write leaves no file", async () => {
  const path = await mkdtemp(join(folder, "failed-"));
  await writeFile(join(path, "file"), "");
  await expect(writeAnchor(path, config, block(5, 3))).rejects.toThrow("EISDIR");
  expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a path that cannot be an anchor is refused in one line, before anything is verified", () => {
  expect(() => readAnchor(folder, config)).toThrow(AnchorError);
  expect(() => readAnchor(folder, config)).toThrow(/^[^\n]*EISDIR[^\n]*; name another file$/);
  const missing = join(folder, "missing", "anchor.json");
  expect(() => readAnchor(missing, config)).toThrow(AnchorError);
  expect(() => readAnchor(missing, config)).toThrow(/^[^\n]*ENOENT[^\n]*; create its folder, or name another file$/);
});

describe("an anchor that was verified from an init block", () => {
  const [init, other, newer, newest] = [block(10, 20), block(10, 30), block(20, 40), block(40, 50)];
  const verified = block(30, 60);
  const read = async (now: { readonly initBlock: BlockId; readonly hardforks?: readonly BlockId[] }, from: object = {}) => {
    const path = join(folder, "origin.json");
    await writeAnchor(path, { ...config, initBlock: init, ...from }, verified);
    return readAnchor(path, { ...config, ...now });
  };
  const refusal = "origin.json: the anchor was verified from block 10 1414";

  test("is used with the same one, and with a newer one", async () => {
    expect(await read({ initBlock: init })).toEqual(verified);
    expect(await read({ initBlock: newer })).toEqual(verified);
    expect(await read({ initBlock: newest })).toBeUndefined();
    expect(await read({ initBlock: init, hardforks: [init] })).toEqual(verified);
    // Files keep the hard forks of the past.
    expect(await read({ initBlock: newer, hardforks: [block(5, 30), init] })).toEqual(verified);
  });

  test("is refused with a hard fork, even an older one, and with a corrected or older one", async () => {
    for (const fork of [newer, newest, other, block(5, 30)]) {
      await expect(read({ initBlock: fork, hardforks: [init, fork] })).rejects.toThrow(refusal);
    }
    await expect(read({ initBlock: newest, hardforks: [newer] })).rejects.toThrow(refusal);
    await expect(read({ initBlock: other })).rejects.toThrow(refusal);
    await expect(read({ initBlock: block(5, 30) })).rejects.toThrow(refusal);
    await expect(read({ initBlock: block(30, 70) })).rejects.toThrow(
      /verified from .*, the configuration trusts block 30 4646.*; remove it to/,
    );
  });
});
