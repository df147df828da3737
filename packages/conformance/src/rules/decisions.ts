/** Rules for a single body that the decisions of the contract add to its schemas. DECISIONS.md has the reasons. */
import { has, naturalIn, valueAt } from "../json.ts";
import { type Finding, isResultOf, type Target } from "./schema.ts";

/** A place that breaks a rule, as a path from the result or the failure. */
interface Violation {
  readonly at: readonly string[];
  readonly expected: string;
  readonly value: unknown;
}

interface Rule {
  readonly decision: string;
  readonly violations: (target: Target) => Violation[];
}

interface ListedTransaction {
  readonly at: readonly string[];
  readonly value: unknown;
  readonly lt: bigint | undefined;
}

const zeroHash = `${"A".repeat(43)}=`;

const rules: readonly Rule[] = [
  {
    decision: "D-03",
    violations: (target) =>
      target.kind === "failure" && has(target.failure, "result")
        ? [{ at: ["result"], expected: "no result in a failure", value: target.failure["result"] }]
        : [],
  },
  {
    decision: "D-14",
    violations: (target) => {
      const { items } = pageIn(target);
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
    violations: (target) => {
      const { cursor } = pageIn(target);
      const hash = valueAt(cursor, ["hash"]);
      if (valueAt(cursor, ["lt"]) !== "0" || typeof hash !== "string" || hash === zeroHash) return [];
      return [{ at: ["previous_transaction_id", "hash"], expected: "32 zero bytes, as lt is 0", value: hash }];
    },
  },
  {
    decision: "D-19",
    violations: (target) =>
      transactionsIn(target).flatMap(({ at, value, lt }) => {
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
    violations: (target) =>
      transactionsIn(target).flatMap(({ at, value }) => {
        const [fee, storage, other] = ["fee", "storage_fee", "other_fee"].map((name) => naturalIn(valueAt(value, [name])));
        if (fee === undefined || storage === undefined || other === undefined || fee === storage + other) return [];
        const expected = `"${storage + other}", storage_fee + other_fee`;
        return [{ at: [...at, "fee"], expected, value: String(fee) }];
      }),
  },
  {
    decision: "D-14",
    violations: (target) => {
      const { items, cursor } = pageIn(target);
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
    violations: (target) => {
      const first = ["shards", "0", "id", "workchain"];
      if (!isResultOf(target, "getOutMsgQueueSize") || !Array.isArray(valueAt(target.result, ["shards"]))) return [];
      const workchain = valueAt(target.result, first);
      return workchain === -1 ? [] : [{ at: first, expected: "-1, the masterchain first", value: workchain }];
    },
  },
  {
    decision: "D-44",
    violations: (target) => {
      const place = ["block_id", "workchain"];
      const workchain = isResultOf(target, "getAddressInformation") ? valueAt(target.result, place) : undefined;
      return Number.isInteger(workchain) && workchain !== -1
        ? [{ at: place, expected: "-1, a masterchain block", value: workchain }]
        : [];
    },
  },
  {
    decision: "D-46",
    violations: (target) => (target.kind === "result" ? beyondInt64(target.result, []) : []),
  },
];

/** Finds violations of decisions. Ignores values that break their schema. */
export function decisionFindings(target: Target): Finding[] {
  const prefix = target.kind === "result" ? target.prefix : [];
  return rules.flatMap(({ decision, violations }) =>
    violations(target).map(({ at, expected, value }) => ({
      segments: [...prefix, ...at],
      kind: "decision" as const,
      expected: `${expected} (${decision})`,
      value,
      rule: decision,
    })),
  );
}

/** Every logical time and shard, at any depth, that does not fit a signed 64-bit integer. */
function beyondInt64(value: unknown, at: readonly string[]): Violation[] {
  if (typeof value === "string" && int64Members.has(at.at(-1) ?? "") && /^-?[0-9]{19}$/.test(value)) {
    const fits = BigInt.asIntN(64, BigInt(value)) === BigInt(value);
    return fits ? [] : [{ at, expected: "an integer of 64 bits", value }];
  }
  // Responses of the contract are less deep; unknown members may be deeper.
  if (typeof value !== "object" || value === null || at.length > 12) return [];
  return Object.entries(value).flatMap(([name, member]) => beyondInt64(member, [...at, name]));
}

const int64Members = new Set(["lt", "created_lt", "shard"]);

function transactionsIn(target: Target): ListedTransaction[] {
  if (isResultOf(target, "tryLocateResultTx", "tryLocateSourceTx")) return [transaction([], target.result)];
  return pageIn(target).items;
}

function pageIn(target: Target): { items: ListedTransaction[]; cursor: unknown } {
  if (!isResultOf(target, "getTransactionsStd")) return { items: [], cursor: undefined };
  const found = valueAt(target.result, ["transactions"]);
  const items = Array.isArray(found) ? found.map((value, index) => transaction(["transactions", String(index)], value)) : [];
  return { items, cursor: valueAt(target.result, ["previous_transaction_id"]) };
}

function transaction(at: readonly string[], value: unknown): ListedTransaction {
  return { at, value, lt: naturalIn(valueAt(value, ["transaction_id", "lt"])) };
}
