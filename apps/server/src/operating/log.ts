import { destination, type Logger, pino } from "pino";
import type { LogLevel } from "../serve-options.ts";

const stderr = 2;

/**
 * A log of JSON lines on stderr. Nothing that is logged holds a key; should one ever come along, it is blotted out.
 *
 * @param source - Which process of the deployment speaks.
 */
export function createLog(level: LogLevel, source: string): Logger {
  const secret = ["key", "apiKey", 'headers["x-api-key"]', '*.headers["x-api-key"]', "*.key", "*.apiKey"];
  return pino(
    { level, base: { source }, redact: { paths: secret, censor: "[redacted]" } },
    destination({ dest: stderr, sync: true }),
  );
}
