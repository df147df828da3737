import { test } from "vitest";
import { expectDisbelief } from "./fixtures/lying-service.ts";

test("none of 10,000 answers of a lying service is believed", () => expectDisbelief(2, 10_000));
