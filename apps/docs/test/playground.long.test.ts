/** The playground with all documented requests. */
import { test } from "vitest";
import { documentedExamples } from "../src/reference/routes.ts";
import { playing, sendExamples } from "./playground-playing.ts";

test("the playground sends the documented response to every documented request", async () => {
  await playing("playground/", (page) => sendExamples(page, documentedExamples));
});
