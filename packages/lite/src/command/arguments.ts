import {
  number,
  type Printed,
  type Program,
  parseCommandLine,
  serverKey,
  text,
  type ValueType,
} from "@chain-query/command-line";
import type { AccountId } from "@chain-query/format/identifiers";

export interface InspectCommand {
  /** A global.config.json. */
  readonly config: string;
  readonly account: AccountId;
  /** The file of the newest verified key block. */
  readonly liteAnchor?: string;
  /** The public key of the server whose newest block is believed. */
  readonly liteHeadFrom?: Uint8Array;
  /** Seconds. */
  readonly timeout: number;
}

const ELECTOR: AccountId = { workchain: -1, hash: new Uint8Array(32).fill(0x33) };

const account: ValueType<AccountId> = {
  placeholder: "<address>",
  accepted: "an address such as -1:333…333, a workchain and 64 hexadecimal digits",
  parse: (value) => {
    const [, workchain, hash] = /^(-?\d{1,3}):([0-9a-fA-F]{64})$/.exec(value) ?? [];
    return hash === undefined ? undefined : { workchain: Number(workchain), hash: new Uint8Array(Buffer.from(hash, "hex")) };
  },
};

const program = {
  name: "chain-query-lite",
  manifest: new URL("../../package.json", import.meta.url),
  commands: {
    "": {
      summary: "Shows the lite servers of a network, and reads an account with verification.",
      arguments: { config: text("<config>", "a file") },
      flags: {
        account: { type: account, help: "the account to read (default -1:333…333)" },
        liteAnchor: { type: text("<file>", "a file"), help: "where the newest verified key block is kept" },
        liteHeadFrom: { type: serverKey, help: "believe this server of yours, not signatures" },
        // The first verification of signatures may take minutes.
        timeout: { type: number(1, 600, "<seconds>"), default: "600", help: "of the command" },
      },
    },
  },
  notes: `The config is a global.config.json of the network, or the output of
chain-query-server lite.`,
} as const satisfies Program;

/** @throws CommandLineError with one line for each problem. */
export function parseArguments(args: readonly string[]): InspectCommand | Printed {
  const given = parseCommandLine(program, args);
  if (given.command === "print") return given;
  return { account: ELECTOR, ...given };
}
