import type { BodiesCommand, ServiceCommand } from "./arguments.ts";
import type { Terminal } from "./progress.ts";

/** Names of errors that the user can act on. */
export const expectedErrors: readonly string[] = ["FolderError", "ServiceError", "ReportError"];

/** Runs a command and returns its exit code. Loads only the modules of that command. */
export async function run(command: BodiesCommand | ServiceCommand, terminal: Terminal): Promise<number> {
  return command.command === "bodies"
    ? (await import("./bodies.ts")).runBodies(command, terminal)
    : (await import("./service.ts")).runService(command, terminal);
}
