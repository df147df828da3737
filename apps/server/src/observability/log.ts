import { writeSync } from "node:fs";
import { redactUrl } from "@chain-query/postgres-store/connection-url";
import { type LevelWithSilent, type Logger, pino } from "pino";
import { Counter, type Registry } from "prom-client";

const stderr = 2;
const secretPaths = ["key", "apiKey", 'headers["x-api-key"]', '*.headers["x-api-key"]', "*.key", "*.apiKey"];
/** Number of retries of a write to a full pipe, and milliseconds before each. */
const [busyRetries, busyDelay] = [10, 10];
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Writes log lines to a file descriptor. Counts and drops lines that it cannot write, so that logging never makes a request fail. */
export class LineWriter {
  readonly #fd: number;
  #lost = 0;
  /** Whether the last line is missing or incomplete. */
  #isFailing = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Number of lines that could not be written. */
  get lost(): number {
    return this.#lost;
  }

  write(line: string): void {
    try {
      // Ends the incomplete line.
      if (this.#isFailing) this.#writeAll(Buffer.from("\n"));
      this.#writeAll(Buffer.from(line));
      this.#isFailing = false;
    } catch {
      this.#isFailing = true;
      this.#lost++;
    }
  }

  #writeAll(bytes: Buffer): void {
    let retries = this.#isFailing ? 0 : busyRetries;
    for (let written = 0; written < bytes.length; ) {
      try {
        written += writeSync(this.#fd, bytes, written);
      } catch (error) {
        const isBusy = error instanceof Error && "code" in error && error.code === "EAGAIN";
        if (!isBusy || retries-- === 0) throw error;
        Atomics.wait(sleeper, 0, 0, busyDelay);
      }
    }
  }
}

const stderrLines = new LineWriter(stderr);

/** A log of JSON lines on stderr. The service logs no keys; the redaction is a second line of defence. */
export function createLog(level: LevelWithSilent, lines: LineWriter = stderrLines): Logger {
  return pino({ level, base: null, redact: { paths: secretPaths, censor: "[redacted]" } }, lines);
}

/** Returns the function that logs why Redis is unavailable, and that it has recovered. */
export function logOfRedis(url: string, log: Logger): (problem: string | undefined) => void {
  const redis = redactUrl(url);
  return (reason) => {
    if (reason === undefined) log.info({ redis }, "Redis is ready; limits are common to all instances");
    else log.error({ redis, reason }, "Redis is unavailable; each instance counts alone until it has recovered");
  };
}

export function addLogMetrics(registry: Registry): void {
  new Counter({
    name: "chain_query_log_lines_lost_total",
    help: "Log lines that could not be written to stderr",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(stderrLines.lost);
    },
  });
}
