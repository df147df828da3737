import { test } from "vitest";
import { expectDisbelief, expectDisbeliefInLinks } from "./fixtures/lying-service.ts";

test("none of 10,000 answers of a lying service is believed", () => expectDisbelief(2, 10_000));

test("no changed link moves the trust elsewhere", () => expectDisbeliefInLinks(2, 1_500));
