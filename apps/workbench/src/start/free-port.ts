import { createServer } from "node:net";
import { UsageError } from "../workspace/command.ts";

/**
 * Tells of a taken port before anything is built for it.
 *
 * @param flag - The flag that chose the port.
 * @param port - 0 is never taken.
 * @throws UsageError where somebody listens there, or nobody may.
 */
export async function refuseTakenPort(flag: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new UsageError(reasonOf(error, flag, port))));
    server.listen(port, "127.0.0.1", resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

function reasonOf({ code, message }: NodeJS.ErrnoException, flag: string, port: number): string {
  const reason = code === "EADDRINUSE" ? "is taken" : code === "EACCES" ? "needs more rights than this user has" : message;
  return `port ${port} on 127.0.0.1 ${reason}; choose another with ${flag}, or 0 for any free one`;
}
