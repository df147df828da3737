import { describe, expect, test } from "vitest";
import { validateService } from "../../src/index.ts";
import { previewOf } from "../../src/json.ts";
import { curlOf, redactor } from "../../src/service/exchange.ts";
import { conformingService } from "../fake-service/conforming.ts";
import { serve } from "../fake-service/serve.ts";

describe("the key in a response", () => {
  const key = 'a"b/c%d-e\\f+g';
  test.each([
    key,
    JSON.stringify(key).slice(1, -1),
    JSON.stringify(JSON.stringify(key)),
    encodeURIComponent(key),
    encodeURIComponent(key).toLowerCase(),
  ])("is redacted in the form %s", (form) => {
    expect(redactor(key)(`no ${form} here`)).toMatch(/^no \W*\$CHAIN_API_KEY\W* here$/);
  });

  test("is redacted if a preview ends inside it", () => {
    const long = previewOf(`${"x".repeat(30)}s3cret-key-of-mine${"x".repeat(30)}`);
    expect(redactor("s3cret-key-of-mine")(long)).toBe(`"${"x".repeat(30)}$CHAIN_API_KEY"… of 78 characters`);
  });

  test("is not redacted inside other words if it is short", () => {
    expect(redactor("k")("block of the key k")).toBe("block of the key $CHAIN_API_KEY");
  });

  test("is not redacted in the curl command, which does not contain it", async () => {
    await using service = await serve({
      ...conformingService(),
      finish: (reply) => ({ ...reply, body: { ok: false, error: "no 4 and no curl" } }),
    });
    const { results } = await validateService({ baseUrl: service.url, apiKey: "curl", only: ["lookupBlock"], fuzz: 0 });
    const violations = results.flatMap((result) => result.violations);
    expect(violations.filter(({ request }) => !request.startsWith("curl -sS "))).toEqual([]);
    expect(violations.some(({ got }) => got.includes("no 4 and no $CHAIN_API_KEY"))).toBe(true);
  });
});

describe("a header of all requests", () => {
  const headers = { Authorization: "Bearer s3cret-token", "CF-Access-Id": "s3cret-id" };

  test("is received by the service, and redacted in every report", async () => {
    const refused: unknown[] = [];
    await using service = await serve({
      ...conformingService(),
      finish: (reply, call) => {
        const { authorization, "cf-access-id": id } = call.headers;
        if (authorization !== headers.Authorization || id !== headers["CF-Access-Id"]) refused.push(call);
        return { ...reply, body: { ok: false, error: `you sent ${authorization} and ${id}` } };
      },
    });
    const report = await validateService({ baseUrl: service.url, headers, checkLimits: true, only: ["lookupBlock"], fuzz: 3 });
    expect(refused).toEqual([]);
    expect(JSON.stringify(report)).not.toContain("s3cret");
    const [violation] = report.results.flatMap(({ violations }) => violations);
    expect(violation?.request).toContain('-H "Authorization: $AUTHORIZATION" -H "CF-Access-Id: $CF_ACCESS_ID"');
    expect(JSON.stringify(report)).toContain("you sent $AUTHORIZATION and $CF_ACCESS_ID");
  });
});

const request = { operation: "getMasterchainInfo", method: "GET", path: "/api/v2/getMasterchainInfo" };

test("the curl command shows the key as a variable, and escapes special characters of the shell", () => {
  const line = curlOf(
    { request: { ...request, method: "POST", text: `{"a":"it's $HOME \u001b"}` }, secrets: ["X-API-Key"], outcome: "" },
    "http://h",
  );
  expect(line).toBe(
    `curl -sS -X POST http://h/api/v2/getMasterchainInfo -H 'content-type: application/json' -H "X-API-Key: $CHAIN_API_KEY" --data-raw $'{"a":"it\\'s $HOME \\u001b"}'`,
  );
});

test("the curl command generates a long repetitive body instead of containing it", () => {
  const line = curlOf(
    { request: { ...request, method: "POST", text: `{"a":"${"x".repeat(5000)}"}` }, secrets: [], outcome: "" },
    "http://h",
  );
  expect(line).toContain(`--data-binary @<(printf %s '{"a":"'; head -c 5000 /dev/zero | tr '\\0' x; printf %s '"}')`);
});
