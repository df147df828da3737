import { contractChanges, testKindsOfChange } from "./kinds-of-change.ts";

/** The first change that breaks each half of the types, and the first of each level that breaks none. */
const samples = new Map(
  contractChanges.toReversed().map((change) => {
    const [half = change.contract] = change.types[0]?.split(" ") ?? [];
    return [half, change];
  }),
);

testKindsOfChange([...samples.values()]);
