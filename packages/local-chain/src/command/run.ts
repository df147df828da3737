import type { Terminal } from "@chain-query/command-line";
import type { ChainCommand } from "./arguments.ts";

/** Runs a command and returns its exit code. Loads only the modules of that command: the virtual machine is large. */
export async function run(command: ChainCommand, terminal: Terminal): Promise<number> {
  switch (command.command) {
    case "init":
      return (await import("./produce.ts")).init(command, terminal);
    case "run":
      return (await import("./produce.ts")).produceInRealTime(command, terminal);
    case "advance":
      return (await import("./produce.ts")).advance(command, terminal);
    case "inspect":
      return (await import("./inspect.ts")).inspect(command, terminal);
    case "verify":
      return (await import("./verify.ts")).verify(command, terminal);
  }
}
