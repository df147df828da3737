/** `chain-query-server keys`: hands keys out, lists them and takes them back. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type KeyRecord, openKeyStore } from "../limits/key-store.ts";
import { OptionError } from "./option-error.ts";
import { valuesOf } from "./read-options.ts";
import { type Option, serveTable } from "./serve-options.ts";
import { fromEnvironment, fromFlags } from "./sources.ts";
import { whole } from "./values.ts";

interface KeysOptions {
  readonly chain: string;
  readonly keys: string;
  readonly rate: number;
  readonly network: string | undefined;
}

/** What is wanted of the keys. */
export type KeysWish =
  | { readonly kind: "help" }
  | {
      readonly kind: "add";
      readonly folder: string;
      readonly owner: string;
      readonly rate: number;
      readonly network: string | undefined;
    }
  | { readonly kind: "list"; readonly folder: string }
  | { readonly kind: "revoke"; readonly folder: string; readonly id: string };

/** The text of `keys --help`. */
export const keysHelp = `Usage: chain-query-server keys add <owner> [--rate <number>] [--network <word>]
       chain-query-server keys list
       chain-query-server keys revoke <id>

Hands keys out, lists them, takes them back. A running server knows at once.

  --rate <number>     requests per second, 0 for any number (default 10)
  --network <word>    the one network that the key is for (default any)
  --keys <folder>     the folder of the keys (default the chain's, with .keys)
  --chain <folder>    the chain whose keys they are (default chain-query-chain)

add prints the key, which is to be had this once: only its hash is kept.
`;

const { chain, keys, networkName } = serveTable;
const table: { readonly [Name in keyof KeysOptions]: Option<KeysOptions[Name]> } = {
  chain,
  keys,
  rate: { name: "rate", read: whole(0, 1_000_000), fallback: 10, help: ["", ""] },
  network: { name: "network", read: networkName.read, fallback: undefined, help: ["", ""] },
};

/** Reads what is wanted. @throws OptionError with a line for each mistake. */
export function keysWishIn(args: readonly string[], environment: NodeJS.ProcessEnv): KeysWish {
  const options = Object.values<Option<unknown>>(table);
  const flags = fromFlags(args, [...options, { name: "help", alone: true }]);
  if (flags.given.has("help")) return { kind: "help" };
  const mistakes = [...flags.mistakes];
  const values = valuesOf<KeysOptions>(table, [flags, fromEnvironment(environment, [chain, keys])], mistakes);
  const folder = values.keys === "" ? `${resolve(values.chain)}.keys` : resolve(values.keys);
  const [command = "", what = "", ...more] = flags.words;
  const counts = { add: 1, list: 0, revoke: 1 } as const;
  if (!(command in counts)) mistakes.push(`keys ${JSON.stringify(command)}: add, list or revoke is accepted`);
  else if ((what === "" ? 0 : 1) !== counts[command as keyof typeof counts] || more.length > 0) {
    mistakes.push(`keys ${flags.words.join(" ")}: keys add <owner>, keys list or keys revoke <id> is accepted`);
  }
  // A key is one line of the list.
  if (/\p{Cc}/u.test(what)) mistakes.push(`keys ${command} ${JSON.stringify(what)}: a text of one line is accepted`);
  if (mistakes.length > 0) throw new OptionError(mistakes);
  if (command === "add") return { kind: "add", folder, owner: what, rate: values.rate, network: values.network };
  return command === "list" ? { kind: "list", folder } : { kind: "revoke", folder, id: what };
}

/** Does what is wanted, and prints what came of it. */
export async function fulfilKeys(wish: KeysWish): Promise<void> {
  if (wish.kind === "help") {
    process.stdout.write(keysHelp);
    return;
  }
  // Only who adds a key makes a folder: a name that is mistyped leaves nothing behind.
  if (wish.kind !== "add" && !existsSync(wish.folder)) {
    throw new OptionError([`keys ${wish.folder}: there are no keys; keys add <owner> makes the first`]);
  }
  const store = openKeyStore(wish.folder);
  try {
    if (wish.kind === "add") {
      const { owner, rate, network } = wish;
      const { text } = await store.add(owner, { rate, ...(network === undefined ? {} : { network }) });
      console.log(text);
    } else if (wish.kind === "list") {
      for (const record of store.list()) console.log(line(record));
    } else if (!(await store.revoke(wish.id))) {
      throw new OptionError([
        `keys revoke ${JSON.stringify(wish.id)}: there is no such key; keys list tells those that there are`,
      ]);
    }
  } finally {
    await store.close();
  }
}

function line({ id, owner, rate, network = "any network", created }: KeyRecord): string {
  const day = new Date(created * 1000).toISOString().slice(0, 10);
  return [id, rate === 0 ? "unlimited" : `${rate}/s`, network, day, owner].join("  ");
}
