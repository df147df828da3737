import { decodeAccount, readAccountLibraries } from "@chain-query/format/accounts";
import { hex } from "@chain-query/format/cells";
import { accountName, blockName } from "@chain-query/format/identifiers";
import { readPublicLibraries, readStateLibraries } from "@chain-query/format/states";
import { accountRecord } from "@chain-query/format/store";
import { versionKey } from "../store/records.ts";
import { cellOfRecord } from "../store/store-contents.ts";
import type { Tables } from "../store/tables.ts";
import { type CheckedBlock, stateAfter } from "./block-check.ts";
import { must, mustEqual } from "./fault.ts";

/** Follows the public libraries from genesis, which has none: the state has those that accounts of the masterchain publish. */
interface LibraryLedger {
  /** Adds a block. */
  follow(block: CheckedBlock): void;
}

export function libraryLedger(tables: Tables): LibraryLedger {
  const cellOf = cellOfRecord(tables);
  /** "library publisher" of each public library, by the address of the publisher. */
  const published = new Map<string, readonly string[]>();

  return {
    follow: ({ header: { id }, info, transactions }) => {
      const stated = readStateLibraries(stateAfter(tables, id));
      if (info.master) return must(!stated, () => `the state after block ${blockName(id)} has libraries`);
      for (const { account } of transactions) {
        const record = tables.versions.get(versionKey(account, id.seqno));
        must(record !== undefined, () => `the version of account ${accountName(account)} as of block ${id.seqno} is missing`);
        const { libraries } = decodeAccount(cellOf(accountRecord.decode(record).cell));
        const own = libraries ? [...readAccountLibraries(libraries)].filter(({ isPublic }) => isPublic) : [];
        published.set(
          hex(account.hash),
          own.map(({ hash }) => `${hex(hash)} ${hex(account.hash)}`),
        );
      }
      const found = Array.from(readPublicLibraries(stated), ({ root, publishers }) =>
        publishers.map((publisher) => `${hex(root.hash)} ${hex(publisher)}`),
      );
      const expected = [...published.values()].flat().sort();
      mustEqual(
        found.flat().join() || "none",
        expected.join() || "none",
        () => `libraries in the state after block ${blockName(id)}`,
      );
    },
  };
}
