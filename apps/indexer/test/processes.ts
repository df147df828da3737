import { onTestFinished } from "vitest";
import { IndexerProcess, type Outcome } from "../fuzz/indexer-process.ts";

/** Starts the command. It does not outlive the current test. */
export function start(url: string, ...args: readonly string[]): IndexerProcess {
  const indexer = new IndexerProcess(url, ...args);
  onTestFinished(() => void indexer.child.kill("SIGKILL"));
  return indexer;
}

/** Runs the command to its end. */
export function run(url: string, ...args: readonly string[]): Promise<Outcome> {
  return start(url, ...args).ended();
}
