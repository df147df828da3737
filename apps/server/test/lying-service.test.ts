import { test } from "vitest";
import { expectDisbelief, expectDisbeliefInLinks } from "./fixtures/lying-service.ts";

test("none of the answers of a lying service is believed", () => expectDisbelief(1, 600));

test("no changed link moves the trust elsewhere", () => expectDisbeliefInLinks(1, 150));
