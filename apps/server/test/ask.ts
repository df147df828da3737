/** Questions to a service, and its answers held against the contract. */

import { judgeBody } from "@chain-query/conformance";
import type { OperationId, RequestOf, ResultOf } from "@chain-query/types";
import { expect } from "vitest";
import { operations } from "../src/contract/bundle.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The tests know what they asked for.
  readonly body: { ok: boolean; result?: unknown; error?: string; code?: number; "@extra"?: string };
}

/** Asks as the contract says, and checks that the answer is one of the contract's. */
export async function ask(
  url: string,
  id: OperationId,
  input: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  const { method, path } = operation;
  const query = new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]));
  const response =
    method === "GET"
      ? await fetch(`${url}${path}?${query}`, { headers })
      : await fetch(url + path, {
          method,
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(input),
        });
  return judged(id, response);
}

/** The result of a success. */
export async function resultOf<Id extends OperationId>(
  url: string,
  id: Id,
  input: RequestOf<Id> | object = {},
  headers: Record<string, string> = {},
): Promise<ResultOf<Id>> {
  const { status, body } = await ask(url, id, input, headers);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.result as ResultOf<Id>;
}

/** Reads an answer; one that is off the contract fails the test. */
export async function judged(id: OperationId, response: Response): Promise<Answer> {
  const text = await response.text();
  expect(response.headers.get("content-type"), text).toBe("application/json; charset=utf-8");
  const body = JSON.parse(text);
  expect(judgeBody(response.ok ? id : "errors", body).deviations, text).toEqual([]);
  expect(body.ok).toBe(response.ok);
  if (!response.ok) expect(body.code).toBe(response.status);
  return { status: response.status, headers: response.headers, body };
}
