import {
  CommandLineError,
  number,
  oneOf,
  type Printed,
  type Program,
  parseCommandLine,
  text,
  type ValueType,
} from "@chain-query/command-line";
import type { AccountId } from "@chain-query/format/identifiers";
import type { LiteTrust } from "../reading/read-context.ts";

/** Shows the servers of a network. */
export interface InspectCommand {
  /** A global.config.json. */
  readonly config: string;
  readonly account: AccountId;
  readonly trust: LiteTrust;
  /** The file of the newest verified key block. */
  readonly liteAnchor?: string;
  /** Seconds. */
  readonly timeout: number;
}

/** Seconds for the command, and with the first verification of signatures. */
const [TIMEOUT, FIRST_SYNC] = [10, 600];

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
  name: "chain-query-lite-client",
  manifest: new URL("../../package.json", import.meta.url),
  commands: {
    "": {
      summary: "Shows the lite servers of a network, and reads an account with verification.",
      arguments: { config: text("<config>", "a file") },
      flags: {
        account: { type: account, help: "the account to read (default -1:333…333)" },
        trust: {
          type: oneOf("<level>", ["signatures", "proofs"]),
          default: "proofs",
          help: "verify the head by signatures or proofs",
        },
        liteAnchor: { type: text("<file>", "a file"), help: "where the newest verified key block is kept" },
        timeout: { type: number(1, 600, "<seconds>"), help: "of the command: 10, or 600 with signatures" },
      },
    },
  },
  notes: `The config is a global.config.json of the network, or the output of
chain-query-local-chain serve.`,
} as const satisfies Program;

/**
 * Parses the arguments of the command.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseArguments(args: readonly string[]): InspectCommand | Printed {
  const given = parseCommandLine(program, args);
  if (given.command === "print") return given;
  const { trust, liteAnchor } = given;
  if (liteAnchor !== undefined && trust !== "signatures") {
    throw new CommandLineError(["--lite-anchor: is for signatures; expected --trust signatures too"]);
  }
  return { account: ELECTOR, timeout: trust === "signatures" ? FIRST_SYNC : TIMEOUT, ...given };
}
