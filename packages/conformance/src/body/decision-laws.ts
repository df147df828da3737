/** What the contract's decisions require of a single body beyond its schemas. DECISIONS.md has the reasons. */

import { has, naturalIn, valueAt } from "../json.ts";
import type { Finding, Subject } from "./finding.ts";

/** A place, as a path from the result or the failure, that breaks a law. */
interface Breach {
  readonly at: readonly string[];
  readonly expected: string;
  readonly value: unknown;
}

interface Law {
  readonly decision: string;
  readonly breaches: (subject: Subject) => Breach[];
}

interface Transaction {
  readonly at: readonly string[];
  readonly value: unknown;
  readonly lt: bigint | undefined;
}

const zeroHash = `${"A".repeat(43)}=`;

const laws: readonly Law[] = [
  {
    decision: "D-03",
    breaches: (subject) =>
      subject.kind === "failure" && has(subject.failure, "result")
        ? [{ at: ["result"], expected: "no result in a failure", value: subject.failure["result"] }]
        : [],
  },
  {
    decision: "D-14",
    breaches: (subject) => {
      const { items } = pageIn(subject);
      return items.flatMap(({ at, value, lt }, index) => {
        const before = items[index - 1]?.lt;
        if (lt === undefined || before === undefined || lt < before) return [];
        const place = ["transaction_id", "lt"];
        return [{ at: [...at, ...place], expected: `less than ${before}, newest first`, value: valueAt(value, place) }];
      });
    },
  },
  {
    decision: "D-14",
    breaches: (subject) => {
      const { cursor } = pageIn(subject);
      const hash = valueAt(cursor, ["hash"]);
      if (valueAt(cursor, ["lt"]) !== "0" || typeof hash !== "string" || hash === zeroHash) return [];
      return [{ at: ["previous_transaction_id", "hash"], expected: "32 zero bytes, as lt is 0", value: hash }];
    },
  },
  {
    decision: "D-19",
    breaches: (subject) =>
      transactionsIn(subject).flatMap(({ at, value, lt }) => {
        const messages = valueAt(value, ["out_msgs"]);
        if (lt === undefined || !Array.isArray(messages)) return [];
        return messages.flatMap((message: unknown, index) => {
          const due = lt + 1n + BigInt(index);
          const created = naturalIn(valueAt(message, ["created_lt"]));
          if (created === undefined || created === due) return [];
          const place = ["out_msgs", String(index), "created_lt"];
          return [{ at: [...at, ...place], expected: `"${due}", lt + 1 + ${index}`, value: String(created) }];
        });
      }),
  },
  {
    decision: "D-28",
    breaches: (subject) =>
      transactionsIn(subject).flatMap(({ at, value }) => {
        const [fee, storage, other] = ["fee", "storage_fee", "other_fee"].map((name) => naturalIn(valueAt(value, [name])));
        if (fee === undefined || storage === undefined || other === undefined || fee === storage + other) return [];
        const expected = `"${storage + other}", storage_fee + other_fee`;
        return [{ at: [...at, "fee"], expected, value: String(fee) }];
      }),
  },
  {
    decision: "D-14",
    breaches: (subject) => {
      const { items, cursor } = pageIn(subject);
      const next = naturalIn(valueAt(cursor, ["lt"]));
      const last = items.at(-1)?.lt;
      if (next === undefined || last === undefined || next <= last) return [];
      return [
        { at: ["previous_transaction_id", "lt"], expected: `no more than ${last}, the page's last`, value: String(next) },
      ];
    },
  },
  {
    decision: "D-42",
    breaches: (subject) => {
      const first = ["shards", "0", "id", "workchain"];
      if (!isResultOf(subject, "getOutMsgQueueSize") || !Array.isArray(valueAt(subject.result, ["shards"]))) return [];
      const workchain = valueAt(subject.result, first);
      return workchain === -1 ? [] : [{ at: first, expected: "-1, the masterchain first", value: workchain }];
    },
  },
  {
    decision: "D-44",
    breaches: (subject) => {
      const place = ["block_id", "workchain"];
      const workchain = isResultOf(subject, "getAddressInformation") ? valueAt(subject.result, place) : undefined;
      return Number.isInteger(workchain) && workchain !== -1
        ? [{ at: place, expected: "-1, a masterchain block", value: workchain }]
        : [];
    },
  },
  {
    decision: "D-46",
    breaches: (subject) => (subject.kind === "result" ? beyondInt64(subject.result, []) : []),
  },
];

/** Where the subject breaks a decision. Values that break their schema are left to the schema. */
export function lawFindingsIn(subject: Subject): Finding[] {
  const prefix = subject.kind === "result" ? subject.prefix : [];
  return laws.flatMap(({ decision, breaches }) =>
    breaches(subject).map(({ at, expected, value }) => ({
      segments: [...prefix, ...at],
      kind: "law" as const,
      expected: `${expected} (${decision})`,
      value,
      rule: decision,
    })),
  );
}

const locating = new Set(["tryLocateResultTx", "tryLocateSourceTx"]);

function isResultOf(subject: Subject, operation: string): subject is Extract<Subject, { kind: "result" }> {
  return subject.kind === "result" && subject.operation === operation;
}

/** Every logical time and shard, at any depth, that does not fit a signed 64-bit integer. */
function beyondInt64(value: unknown, at: readonly string[]): Breach[] {
  if (typeof value === "string" && int64Members.has(at.at(-1) ?? "") && /^-?[0-9]{19}$/.test(value)) {
    const fits = BigInt.asIntN(64, BigInt(value)) === BigInt(value);
    return fits ? [] : [{ at, expected: "an integer of 64 bits", value }];
  }
  // Answers of the contract are less deep; unknown members may be deeper.
  if (typeof value !== "object" || value === null || at.length > 12) return [];
  return Object.entries(value).flatMap(([name, member]) => beyondInt64(member, [...at, name]));
}

const int64Members = new Set(["lt", "created_lt", "shard"]);

function transactionsIn(subject: Subject): Transaction[] {
  if (subject.kind === "result" && locating.has(subject.operation)) return [transaction([], subject.result)];
  return pageIn(subject).items;
}

function pageIn(subject: Subject): { items: Transaction[]; cursor: unknown } {
  if (subject.kind !== "result" || subject.operation !== "getTransactionsStd") return { items: [], cursor: undefined };
  const found = valueAt(subject.result, ["transactions"]);
  const items = Array.isArray(found) ? found.map((value, index) => transaction(["transactions", String(index)], value)) : [];
  return { items, cursor: valueAt(subject.result, ["previous_transaction_id"]) };
}

function transaction(at: readonly string[], value: unknown): Transaction {
  return { at, value, lt: naturalIn(valueAt(value, ["transaction_id", "lt"])) };
}
