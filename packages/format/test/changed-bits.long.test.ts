import { test } from "vitest";
import { checkChanges } from "./changed-bits.ts";

test("small cells with another bit or tag are refused in one line, or have another hash", () => checkChanges(20_000, 5_000));

test("cells of any size with another bit or tag are refused in one line, or have another hash", () =>
  checkChanges(Number.POSITIVE_INFINITY, 500));
