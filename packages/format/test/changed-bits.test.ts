import { test } from "vitest";
import { checkChanges } from "./changed-bits.ts";

test("cells with another bit or tag are refused in one line, or have another hash", () => checkChanges(20_000, 400));
