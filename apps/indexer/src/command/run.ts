import type { SignalTarget, Terminal } from "@chain-query/command-line";
import type { IndexerCommand } from "./arguments.ts";

/** Runs a command, and returns its exit code. Loads only the modules of the command. */
export async function run(command: IndexerCommand, terminal: Terminal & SignalTarget): Promise<number> {
  switch (command.command) {
    case "migrate":
      return (await import("./database.ts")).migrateDatabase(command, terminal);
    case "run":
      return (await import("./index-chain.ts")).follow(command, terminal);
    case "backfill":
      return (await import("./index-chain.ts")).backfill(command, terminal);
    case "drop":
      return (await import("./database.ts")).dropSteps(command, terminal);
    case "verify":
      return (await import("./database.ts")).verifyDatabase(command, terminal);
    case "status":
      return (await import("./database.ts")).showStatus(command, terminal);
  }
}
