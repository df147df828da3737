import { existsSync } from "node:fs";
import { CommandLineError } from "@chain-query/command-line";
import { opened } from "../failure.ts";
import { type ApiKeyEditor, type ApiKeyRecord, openApiKeyReader, openApiKeyStore } from "../limits/api-keys.ts";
import { openPostgresApiKeys } from "../limits/postgres-api-keys.ts";
import type { KeysCommand, KeysPlace } from "./arguments.ts";

export async function runKeys(command: KeysCommand): Promise<string> {
  if (command.command === "keys list") {
    const keys = openForReading(command);
    try {
      return (await keys.list()).map(lineOf).join("");
    } finally {
      await keys.close?.();
    }
  }
  const store = openForWriting(command);
  try {
    if (command.command === "keys add") {
      const { owner, rate, network } = command;
      const { text } = await store.add(owner, { rate, ...(network === undefined ? {} : { network }) });
      return `${text}\n`;
    }
    const revocation = await store.revoke(command.id);
    if (revocation === "revoked") return "";
    if (revocation === "revoked before") return "the key was revoked before\n";
    throw new CommandLineError([`<id>: expected an id that "keys list" prints, got ${JSON.stringify(command.id)}`]);
  } finally {
    await store.close?.();
  }
}

function openForReading(place: KeysPlace): Pick<ApiKeyEditor, "list" | "close"> {
  if ("postgres" in place) return opened(() => openPostgresApiKeys(place.postgres));
  checkFolder(place.folder);
  return openApiKeyReader(place.folder);
}

function openForWriting(command: KeysCommand): ApiKeyEditor {
  if ("postgres" in command) return opened(() => openPostgresApiKeys(command.postgres));
  // Only `add` creates a folder: a mistyped name must not leave one behind.
  if (command.command !== "keys add") checkFolder(command.folder);
  return openApiKeyStore(command.folder);
}

function checkFolder(folder: string): void {
  if (!existsSync(folder))
    throw new CommandLineError([`keys ${folder}: no keys; expected a folder in which "keys add" made some`]);
}

function lineOf({ id, owner, rate, network = "any network", created }: ApiKeyRecord): string {
  const day = new Date(created * 1000).toISOString().slice(0, 10);
  return `${[id, rate === 0 ? "unlimited" : `${rate}/s`, network, day, owner].join("  ")}\n`;
}
