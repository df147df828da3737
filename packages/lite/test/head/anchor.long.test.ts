import { test } from "vitest";
import { killWriters } from "./killed-writer.ts";

test("50 processes that are killed while they write an anchor leave the old one or the new one", () => killWriters(50));
