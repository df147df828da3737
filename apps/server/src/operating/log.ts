import { destination, type LevelWithSilent, type Logger, pino } from "pino";

const stderr = 2;
const secretPaths = ["key", "apiKey", 'headers["x-api-key"]', '*.headers["x-api-key"]', "*.key", "*.apiKey"];

/**
 * A log of JSON lines on stderr. The service logs no keys; redaction guards against mistakes.
 *
 * @param source - The process that logs.
 */
export function createLog(level: LevelWithSilent, source: string): Logger {
  return pino(
    { level, base: { source }, redact: { paths: secretPaths, censor: "[redacted]" } },
    destination({ dest: stderr, sync: true }),
  );
}
