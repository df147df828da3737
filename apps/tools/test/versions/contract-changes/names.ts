/** Changes of text, names and places. */
import {
  account,
  type ContractChange,
  copy,
  drop,
  everywhere,
  json,
  path,
  pull,
  put,
  question,
  rename,
  schema,
} from "./edits.ts";

const ofAccount = ["response of getAddressInformation"];

export const ofNames: readonly ContractChange[] = [
  {
    kind: "a description is changed",
    edits: [put(path("lookupBlock", "post", "description"), "Finds it.")],
    contract: "patch",
    types: [],
  },
  {
    kind: "an example is changed",
    edits: [put(schema("Failure", "properties", "error", "examples"), ["no such thing"])],
    contract: "patch",
    types: [],
  },
  { kind: "a decision gets another number", edits: [put(question("x-decision"), "D-99")], contract: "patch", types: [] },
  {
    kind: "an operation moves to another tag",
    edits: [put(path("lookupBlock", "post", "tags"), ["Messages"])],
    contract: "patch",
    types: [],
  },
  {
    kind: "an example is added",
    edits: [
      copy(
        path("lookupBlock", "post", "requestBody", ...json, "examples", "head"),
        path("lookupBlock", "post", "requestBody", ...json, "examples", "tail"),
      ),
    ],
    contract: "minor",
    types: [],
  },
  {
    kind: "an operation is deprecated",
    edits: [put(path("lookupBlock", "post", "deprecated"), true)],
    contract: "minor",
    types: [],
  },
  {
    kind: "an operation is added",
    edits: [copy(path("getMasterchainInfo"), path("getShards")), put(path("getShards", "get", "operationId"), "getShards")],
    contract: "minor",
    types: [],
  },
  { kind: "an operation is removed", edits: [drop(path("lookupBlock"))], contract: "major", types: ["name of lookupBlock"] },
  {
    kind: "an operationId is renamed",
    edits: [put(path("lookupBlock", "post", "operationId"), "findBlock")],
    contract: "major",
    types: ["name of lookupBlock"],
  },
  {
    kind: "a path is renamed",
    edits: [rename(path("lookupBlock"), "/api/v2/findBlock")],
    contract: "major",
    types: [],
    disagreement: "types know an operation by its operationId, wherever it is",
  },
  {
    kind: "a method is changed",
    edits: [rename(path("lookupBlock", "post"), "put")],
    contract: "major",
    types: [],
    disagreement: "types know an operation by its operationId, wherever it is",
  },
  {
    kind: "a schema is renamed",
    edits: [rename(schema("Amount"), "Coins"), everywhere("#/components/schemas/Amount", "#/components/schemas/Coins")],
    contract: "patch",
    types: ["name of Schemas"],
    disagreement: "nothing differs on the wire, and a program that imports the type by its name does not compile",
  },
  {
    kind: "every path moves to a new prefix",
    edits: [everywhere("/api/v2/", "/api/v3/")],
    contract: "major",
    types: [],
    disagreement: "types know an operation by its operationId, wherever it is",
    underNewPrefix: true,
  },
  {
    kind: "every path moves to a new prefix, where a field is removed",
    edits: [everywhere("/api/v2/", "/api/v3/"), drop(account("properties", "balance")), pull(account("required"), "balance")],
    contract: "major",
    types: ofAccount,
    underNewPrefix: true,
  },
  {
    kind: "a new prefix is added beside the old one",
    edits: [
      copy(path("getMasterchainInfo"), ["paths", "/api/v3/getHead"]),
      put(["paths", "/api/v3/getHead", "get", "operationId"], "getHead"),
    ],
    contract: "minor",
    types: [],
  },
  {
    kind: "one path moves to a new prefix",
    edits: [rename(path("lookupBlock"), "/api/v3/lookupBlock")],
    contract: "major",
    types: [],
    disagreement: "types know an operation by its operationId, wherever it is",
  },
];
