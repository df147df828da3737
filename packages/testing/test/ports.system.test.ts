import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { freePort } from "../src/services/ports.ts";

const module = new URL("../src/services/ports.ts", import.meta.url).href;

/** The ports that another process gets. */
async function portsElsewhere(count: number): Promise<number[]> {
  const program = `
    import { freePort } from ${JSON.stringify(module)};
    const ports = await Promise.all(Array.from({ length: ${count} }, freePort));
    console.log(JSON.stringify(ports));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  return JSON.parse(stdout);
}

test("a port is returned once in a range, and by no other process while its server is down", async () => {
  const own = await Promise.all(Array.from({ length: 150 }, freePort));
  expect(new Set(own).size).toBe(150);
  expect(new Set([...own, ...(await portsElsewhere(150))]).size).toBe(300);
});
