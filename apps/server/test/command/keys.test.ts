import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "@chain-query/command-line";
import { describe, expect, test } from "vitest";
import { runKeys } from "../../src/command/keys.ts";
import { StartError } from "../../src/failure.ts";
import { openApiKeyStore } from "../../src/limits/api-keys.ts";
import { keyId, temporaryFolder } from "../fixtures/service.ts";

describe("runKeys", () => {
  test("adds a key, lists it and revokes it", async () => {
    using place = temporaryFolder();
    const folder = join(place.path, "keys");
    const key = await runKeys({ command: "keys add", folder, owner: "alice", rate: 7, network: "chain" });
    await runKeys({ command: "keys add", folder, owner: "bob", rate: 0 });
    const id = keyId(key);
    const listed = await runKeys({ command: "keys list", folder });
    expect(listed).toMatch(new RegExp(`^${id}  7/s  chain  \\d{4}-\\d\\d-\\d\\d  alice$`, "m"));
    expect(listed).toMatch(/ {2}unlimited {2}any network {2}\S+ {2}bob\n/);
    expect(listed).not.toContain(key.trim().slice(-20));
    // A running server has the store open at the same time.
    const store = openApiKeyStore(folder);
    expect(store.find(key.trim())?.owner).toBe("alice");
    expect(await runKeys({ command: "keys revoke", folder, id })).toBe("");
    expect(store.find(key.trim())).toBeUndefined();
    await expect(runKeys({ command: "keys revoke", folder, id })).rejects.toThrow(
      new CommandLineError([`<id>: expected an id that "keys list" prints, got "${id}"`]),
    );
  });

  test("creates no folder to list or revoke", async () => {
    using place = temporaryFolder();
    const folder = join(place.path, "keys");
    const error = new CommandLineError([`keys ${folder}: no keys; expected a folder in which "keys add" made some`]);
    await expect(runKeys({ command: "keys list", folder })).rejects.toThrow(error);
    await expect(runKeys({ command: "keys revoke", folder, id: "abc" })).rejects.toThrow(error);
    expect(existsSync(folder)).toBe(false);
  });

  test("refuses the URL of a database that is wrong", async () => {
    const postgres = "postgres://127.0.0.1/chain?colour=red";
    const text = 'a parameter of the database URL must be one of host, sslmode, sslrootcert, got "colour"';
    await expect(runKeys({ command: "keys list", postgres })).rejects.toThrow(new StartError(text));
    await expect(runKeys({ command: "keys revoke", postgres, id: "abc" })).rejects.toThrow(new StartError(text));
  });
});
