import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLog, LineWriter } from "../../src/observability/log.ts";
import { temporaryFolder } from "../fixtures/service.ts";

describe.runIf(process.platform === "linux")("the log", () => {
  test("counts and drops lines that cannot be written, and continues when writing works again", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "log");
    const fd = openSync("/dev/full", "w");
    const lines = new LineWriter(fd);
    const log = createLog("info", lines);
    log.info("one");
    log.error(new Error("two"));
    expect(lines.lost).toBe(2);
    closeSync(fd);
    // The system gives out the lowest free number.
    expect(openSync(file, "w")).toBe(fd);
    log.info("three");
    log.info("four");
    closeSync(fd);
    expect(lines.lost).toBe(2);
    const logged = readFileSync(file, "utf8").trim().split("\n");
    expect(logged.map((line) => JSON.parse(line).msg)).toEqual(["three", "four"]);
  });
});
