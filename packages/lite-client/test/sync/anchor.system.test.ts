import { test } from "vitest";
import { killWriters } from "./killed-writer.ts";

test("a process that is killed while it writes an anchor leaves the old one or the new one", () => killWriters(5));
