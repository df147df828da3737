import type { BodiesCommand, ServiceCommand } from "./arguments.ts";
import type { progressOn } from "./progress.ts";

/** Where a command writes, and what ends it early. */
export interface Terminal {
  readonly stdout: Pick<NodeJS.WriteStream, "write">;
  readonly stderr: Parameters<typeof progressOn>[0];
  readonly colored: boolean;
  readonly signal: AbortSignal;
}

/** Names of errors that the user can act on. */
export const expectedErrors: readonly string[] = ["FolderError", "ServiceError", "ReportError"];

/** Runs a command and returns its exit code. Loads only the modules of that command. */
export async function run(command: BodiesCommand | ServiceCommand, terminal: Terminal): Promise<number> {
  return command.command === "bodies"
    ? (await import("./bodies.ts")).runBodies(command, terminal)
    : (await import("./service.ts")).runService(command, terminal);
}
