/** New folders, which are removed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A folder that is removed after the current test. */
export function temporaryFolder(): string {
  return folderUntil(onTestFinished);
}

/** A folder that is removed after the tests of the file or of the suite. */
export function sharedFolder(): string {
  return folderUntil(afterAll);
}

function folderUntil(end: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-test-"));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
