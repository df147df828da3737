import { changes } from "./contract-changes/all.ts";
import { testKindsOfChange } from "./kinds-of-change.ts";

/** The first change of each combination of findings. */
const samples = new Map(
  changes.toReversed().map((change) => {
    const [half] = change.types[0]?.split(" ") ?? [];
    return [`${change.contract}, ${half}`, change];
  }),
);

testKindsOfChange([...samples.values()]);
