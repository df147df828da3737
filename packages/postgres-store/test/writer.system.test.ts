import { SMALL } from "@chain-query/testing/chains";
import { beforeAll, expect, test } from "vitest";
import { openPostgresWriter, type PostgresConnection, verifyIndex } from "../src/index.ts";
import { encodeSteps } from "../src/writing/encode-steps.ts";
import { copiedIndex, type ProducedSteps, producedSteps, withDatabase } from "./indexed-chains.ts";

const STEPS = 24;
let chain: ProducedSteps;
let other: ProducedSteps;

beforeAll(async () => {
  [chain, other] = await Promise.all([producedSteps(), producedSteps(SMALL)]);
});

test("a writer continues after the last step of the previous one", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  expect(writer.head).toBe(10);
  await writer.begin(chain.genesis);
  await writer.write(chain.steps.slice(10));
  expect(writer.head).toBe(STEPS);
  await writer.close();
  await expectWhole(connection);
});

test("existing rows above the head stay unchanged", async () => {
  const connection = await copiedIndex(chain, 10);
  await withDatabase(connection, async (sql) => {
    const before = await sql`SELECT record FROM head`;
    const writer = await openPostgresWriter(connection);
    await writer.write(chain.steps.slice(10, 12));
    await writer.close();
    await sql`UPDATE head SET seqno = 10, record = ${before[0]?.["record"]}`;
  });
  const writer = await openPostgresWriter(connection);
  await writer.write(chain.steps.slice(10));
  await writer.close();
  await expectWhole(connection);
});

test("an existing row with other bytes is damage", async () => {
  const connection = await copiedIndex(chain, 10);
  const [row] = encodeSteps(chain.steps.slice(10, 11), new Set()).versions;
  await withDatabase(connection, (sql) => sql`INSERT INTO account_versions VALUES (${row?.[0] as Buffer}, 11, '\\x00')`);
  const writer = await openPostgresWriter(connection);
  await expect(writer.write(chain.steps.slice(10, 11))).rejects.toMatchObject({
    kind: "damaged",
    message: expect.stringMatching(/^table account_versions has another row [0-9a-f]{72} 11$/),
  });
  await writer.close();
});

test("refuses the genesis and the steps of another chain", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  await expect(writer.begin(other.genesis)).rejects.toMatchObject({ kind: "other-chain" });
  await expect(writer.write(other.steps.slice(10))).rejects.toMatchObject({ kind: "fork" });
  await writer.write(chain.steps.slice(10));
  await writer.close();
  await expectWhole(connection);
});

test("refuses the genesis of another chain while another writer has the lease", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  const openStandby = ({ genesis }: ProducedSteps) => openPostgresWriter(connection, { genesis });
  await expect(openStandby(other)).rejects.toMatchObject({ kind: "other-chain" });
  await expect(openStandby(chain)).rejects.toMatchObject({ kind: "busy" });
  await writer.close();
});

test("refuses steps that do not follow the head", async () => {
  const writer = await openPostgresWriter(await copiedIndex(chain, 3));
  await expect(writer.write(chain.steps.slice(4, 5))).rejects.toThrow("the step after 3 must be 4, got 5");
  await writer.close();
});

async function expectWhole(connection: PostgresConnection): Promise<void> {
  expect(await verifyIndex(connection)).toMatchObject({ steps: STEPS });
}
