import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readKeyFile } from "../../src/command/lite.ts";
import { temporaryFolder } from "../fixtures/service.ts";

describe("readKeyFile", () => {
  test("makes a key that only its owner can read, and reads the same one again", () => {
    using place = temporaryFolder();
    const folder = place.path;
    const file = join(folder, "key");
    const key = readKeyFile(file);
    expect(key.length).toBe(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe(`${Buffer.from(key).toString("base64")}\n`);
    expect(readKeyFile(file)).toEqual(key);
    expect(readdirSync(folder)).toEqual(["key"]);
    expect(readKeyFile(join(folder, "other"))).not.toEqual(key);
  });

  test.each([
    ["", "an empty file"],
    [Buffer.alloc(31).toString("base64"), "44 characters"],
    [Buffer.alloc(64).toString("base64"), "88 characters"],
    [Buffer.alloc(32).toString("hex"), "64 characters"],
    [`${Buffer.alloc(32).toString("base64")}\nmore`, "49 characters"],
  ])("refuses a file with %j, which it does not print or change", (text, got) => {
    using place = temporaryFolder();
    const file = join(place.path, "key");
    writeFileSync(file, text);
    expect(() => readKeyFile(file)).toThrow(`--key-file ${file}: must hold 32 bytes in base64, got ${got}`);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("reports the reason if a file cannot be read or written", () => {
    using place = temporaryFolder();
    const folder = place.path;
    mkdirSync(join(folder, "folder"));
    expect(() => readKeyFile(join(folder, "folder"))).toThrow(
      `--key-file ${join(folder, "folder")}: EISDIR: illegal operation on a directory, read`,
    );
    expect(() => readKeyFile(join(folder, "none", "key"))).toThrow(
      `--key-file ${join(folder, "none", "key")}: ENOENT: no such file or directory, open '${join(folder, "none", "key")}'`,
    );
    expect(readdirSync(folder)).toEqual(["folder"]);
  });
});
