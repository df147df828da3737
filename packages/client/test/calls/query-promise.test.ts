import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, NotFoundError } from "../../src/index.ts";
import { failure, failureOf, json, startFaultServer, succeed, success } from "../fault-server.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));
/** Node.js reports unhandled rejections after the microtasks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("QueryPromise", () => {
  test("is a promise of the result", async () => {
    await using server = await startFaultServer(succeed);
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const call = chain.getMasterchainInfo();
    expect(call).toBeInstanceOf(Promise);
    expect(await call).toEqual(success.result);
    expect(await Promise.all([chain.getMasterchainInfo(), chain.getConsensusBlock()])).toEqual([
      success.result,
      success.result,
    ]);
    expect(await call.finally(() => {}).then(({ last }) => last.seqno)).toBe(7);
    expect(server.seen).toHaveLength(3);
  });

  test("rejects safe() with an error of the caller's own code, which is no failure of the call", async () => {
    const own = new RangeError("a bug in a limiter");
    const rateLimit = { acquire: () => Promise.reject(own), pause() {} };
    const chain = createClient({ baseUrl: "http://node.invalid", rateLimit });
    await expect(chain.getMasterchainInfo().safe()).rejects.toBe(own);
  });

  test("returns envelope, response and attempts of the same request", async () => {
    await using server = await startFaultServer(json(200, { ...success, "@extra": "1:2:3" }, { "x-node": "5" }));
    const call = createClient({ baseUrl: server.url }).getMasterchainInfo();
    const { result, extra, envelope, response, attempts } = await call.withResponse();
    expect({ result, extra, envelope, attempts }).toEqual({
      result: success.result,
      extra: "1:2:3",
      envelope: { ...success, "@extra": "1:2:3" },
      attempts: 1,
    });
    expect([response.status, response.headers.get("x-node")]).toEqual([200, "5"]);
    expect(await call).toBe(result);
    expect(await call.safe()).toEqual({ ok: true, result });
    expect(server.seen).toHaveLength(1);
  });

  test("gives a failure as a value", async () => {
    await using server = await startFaultServer(failure(404, "no"));
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    const response = await chain.getMasterchainInfo().safe();
    expect(response).toEqual({ ok: false, error: expect.any(NotFoundError) });
    expect(await chain.lookupBlock({} as never).safe()).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENT" } });
  });

  test("leaves no rejection unhandled, by any of its methods", async () => {
    await using server = await startFaultServer(failure(404, "no"));
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    await chain.getMasterchainInfo().safe();
    await failureOf(chain.getMasterchainInfo());
    await failureOf(chain.getMasterchainInfo().withResponse());
    await failureOf(Promise.all([chain.getMasterchainInfo(), chain.getConsensusBlock()]));
    const call = chain.getMasterchainInfo();
    await Promise.allSettled([call, call.safe(), call.withResponse()]);
    await failureOf(chain.raw.GET("/api/v2/getMasterchainInfo").then(({ error }) => Promise.reject(error)));
    await settled();
    expect(unhandled).toEqual([]);
  });

  test("that is not awaited reports its failure once, like any promise", async () => {
    await using server = await startFaultServer(failure(404, "no"));
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    chain.getMasterchainInfo();
    await expect.poll(() => unhandled.length).toBe(1);
    await settled();
    expect(unhandled.splice(0)).toEqual([expect.any(NotFoundError)]);
  });
});
