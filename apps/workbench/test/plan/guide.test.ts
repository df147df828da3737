import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputs, loads, measured, writes } from "../../src/plan/inputs.ts";
import { capacityTable, diskTable, inputTable, readTable, writeTable } from "../../src/plan/tables.ts";
import { root } from "../../src/workspace/packages.ts";

const guide = readFileSync(join(root, "apps/docs/guides/scale-out.md"), "utf8");
const hitRates = loads.map(({ hitRate }) => hitRate);

test.for([
  ["requests", readTable(measured, loads)],
  ["disk", diskTable(measured, loads)],
  ["writes", writeTable(measured, writes)],
  ["capacity", capacityTable(measured, hitRates)],
  ["inputs", inputTable(measured)],
] as const)("the guide has the table of %s that `pnpm plan` prints", ([, table]) => {
  expect(guide).toContain(`\n\n${table}\n\n`);
});

test("the guide's size of a million transactions is that of the plan", () => {
  expect(guide).toContain(`A million transactions take ${inputs.transactionBytes.value / 1000} GB`);
});
