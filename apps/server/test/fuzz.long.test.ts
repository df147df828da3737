import { test } from "vitest";
import { fuzzService } from "./fixtures/fuzz-service.ts";

test("the service answers thousands of invalid requests as the contract says, and uses no more memory afterwards", () =>
  fuzzService({ warmUp: 1000, count: 4000 }));
