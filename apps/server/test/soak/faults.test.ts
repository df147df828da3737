import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { validateService } from "@chain-query/conformance";
import { expect, onTestFinished, test } from "vitest";
import { sharedService } from "../fixtures/service.ts";
import { faultsOfReport, firstFaults } from "./soak.ts";

const service = sharedService();

test("a service that stops responding to the checks is a fault of the soak test", async () => {
  let responses = 20;
  const failing = createServer((request, response) => {
    if (responses-- <= 0) request.socket.destroy();
    else get(service.url + (request.url ?? ""), (from) => from.pipe(response.writeHead(from.statusCode ?? 0, from.headers)));
  });
  await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void failing.close());
  const baseUrl = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
  const report = await validateService({ baseUrl, profile: "live", seed: 1, fuzz: 0 });
  expect(report.interrupted).toBe(true);
  const faults = faultsOfReport(report, "after");
  expect(faults.at(-1)).toMatch(/^the checks after the load: interrupted after \d+ checks: http:.* no longer answers$/);
});

test("the soak test reports the number of omitted faults", () => {
  const faults = Array.from({ length: 23 }, (_, index) => `fault ${index}`);
  expect(firstFaults(faults)).toEqual([...faults.slice(0, 20), "and 3 more"]);
  expect(firstFaults(faults.slice(0, 20))).toEqual(faults.slice(0, 20));
});
