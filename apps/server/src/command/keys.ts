import { existsSync } from "node:fs";
import { CommandLineError } from "@chain-query/command-line";
import { type KeyRecord, openKeyReader, openKeyStore } from "../limits/keys.ts";
import type { KeysCommand } from "./arguments.ts";

/** Adds, lists or revokes keys, and returns what to print. */
export async function runKeys(command: KeysCommand): Promise<string> {
  // Only `add` creates a folder: a mistyped name must not leave one behind.
  if (command.command !== "keys add" && !existsSync(command.folder))
    throw new CommandLineError([`keys ${command.folder}: no keys; expected a folder in which "keys add" made some`]);
  if (command.command === "keys list") {
    const keys = openKeyReader(command.folder);
    const lines = keys.list().map(lineOf).join("");
    await keys.close();
    return lines;
  }
  const store = openKeyStore(command.folder);
  try {
    switch (command.command) {
      case "keys add": {
        const { owner, rate, network } = command;
        const { text } = await store.add(owner, { rate, ...(network === undefined ? {} : { network }) });
        return `${text}\n`;
      }
      case "keys revoke":
        if (await store.revoke(command.id)) return "";
        throw new CommandLineError([`<id>: expected an id that "keys list" prints, got ${JSON.stringify(command.id)}`]);
    }
  } finally {
    await store.close();
  }
}

function lineOf({ id, owner, rate, network = "any network", created }: KeyRecord): string {
  const day = new Date(created * 1000).toISOString().slice(0, 10);
  return `${[id, rate === 0 ? "unlimited" : `${rate}/s`, network, day, owner].join("  ")}\n`;
}
