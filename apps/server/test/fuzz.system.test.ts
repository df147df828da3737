import { describe, expect, inject, test } from "vitest";
import { accountsOf } from "../bench/accounts.ts";
import { startSubject } from "../bench/process.ts";
import { shotsOn } from "../bench/shots.ts";
import { fuzz } from "../fuzz/fuzz.ts";
import { knownChain } from "./fixtures/chain.ts";
import { temporaryFolder } from "./fixtures/service.ts";

const warmUp = 1000;
const count = 4000;
const seed = 1;

describe("the service", () => {
  test("answers thousands of wrong requests as the contract says, and holds no more memory afterwards", async () => {
    using folder = temporaryFolder();
    const { reader } = knownChain();
    const valid = Object.values(shotsOn(reader, accountsOf(reader), 10)).flat();
    const flags = ["--chain", inject("chain"), "--keys", `${folder.path}/keys`, "--no-produce", "--keyless-rate", "0"];
    await using subject = await startSubject({ kind: "service", flags });
    const plan = { url: subject.url, valid, seed, callers: 16 };
    const first = await fuzz({ ...plan, count: warmUp });
    const before = await subject.ask("heap");
    const { sent, faults, statuses } = await fuzz({ ...plan, from: warmUp, count });
    expect([...first.faults, ...faults]).toEqual([]);
    expect(sent).toBe(count);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 414, 415, 422, 431]));
    expect((await subject.ask("heap")) / before).toBeLessThan(1.3);
  });
});
