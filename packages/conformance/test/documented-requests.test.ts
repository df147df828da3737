import { describe, expect, test } from "vitest";
import { documentedRequests, otherStatuses } from "../src/contract/documented-requests.ts";

const statusesOf = (name: string): readonly number[] | undefined =>
  documentedRequests.find(({ request, condition }) => `${request.operation}.${condition}` === name)?.statuses;

describe("documentedRequests", () => {
  test("accept another status where the documented one depends on the deployment or on the time", () => {
    for (const name of Object.keys(otherStatuses)) expect(statusesOf(name), name).toHaveLength(2);
    expect(statusesOf("tryLocateResultTx.not-yet-processed")).toEqual([404, 200]);
    expect(statusesOf("tryLocateResultTx.not-found")).toEqual([404]);
  });
});
