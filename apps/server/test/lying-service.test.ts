import { test } from "vitest";
import { expectDisbelief } from "./fixtures/lying-service.ts";

test("none of the answers of a lying service is believed", () => expectDisbelief(1, 600));
