import { expect, test } from "vitest";
import { judgeService } from "../../src/index.ts";
import { isLoopback, parseBaseUrl } from "../../src/service/base-url.ts";

test.each(["http://me:s3cret@h", "http://:s3cret@h", "http://h?s3cret", "http://h/#s3cret", "http://h:x@s3cret:y"])(
  "%s is refused without repeating what may be secret",
  async (baseUrl) => {
    const refusal = judgeService({ baseUrl });
    await expect(refusal).rejects.toThrow(RangeError);
    await expect(refusal).rejects.not.toThrow("s3cret");
  },
);

test("a base URL keeps its path without the trailing slash", () => {
  expect(parseBaseUrl("HTTP://Host:80/a@b/")).toBe("http://host/a@b");
});

test.each([
  ["http://localhost:1", true],
  ["http://127.8.9.1/x", true],
  ["https://[::1]:4010", true],
  ["http://127.example.org", false],
  ["http://10.0.0.1", false],
])("%s leads to this machine: %s", (url, expected) => {
  expect(isLoopback(url)).toBe(expected);
});
