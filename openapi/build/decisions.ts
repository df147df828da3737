/** Reads DECISIONS.md, and the places of the bundle that name each decision. */
import type { Decision, DecisionPlace } from "../src/operation.ts";
import type { Json } from "./dereference.ts";

/**
 * Parses the decisions and finds their places in the bundle before its references are replaced.
 *
 * @throws Error if a decision has no choice, or if the bundle names a decision that DECISIONS.md does not have
 */
export function decisionsOf(markdown: string, bundle: Json): Decision[] {
  const places = placesIn(bundle);
  const decisions = markdown
    .split(/^## (?=D-\d)/m)
    .slice(1)
    .map((section): Decision => {
      const [, id = "", title = ""] = /^(D-\d+) (.+)$/m.exec(section) ?? [];
      const chosen = /^- We chose: (.+)$/m.exec(section)?.[1];
      if (chosen === undefined) throw new Error(`DECISIONS.md, ${id}: expected a line that begins with "- We chose: "`);
      return { id, title: title.replaceAll("`", ""), chosen, places: [...(places.get(id)?.values() ?? [])] };
    });
  const unknown = [...places.keys()].find((id) => decisions.every((decision) => decision.id !== id));
  if (unknown !== undefined) throw new Error(`the contract names ${unknown}, which DECISIONS.md does not have`);
  return decisions;
}

/** The places by the id of the decision, each place once. */
function placesIn(bundle: Json): Map<string, Map<string, DecisionPlace>> {
  const places = new Map<string, Map<string, DecisionPlace>>();
  const visit = (value: unknown, keys: readonly string[]): void => {
    if (typeof value !== "object" || value === null) return;
    if ("x-decision" in value) {
      const id = String(value["x-decision"]);
      const place = placeAt(keys, bundle);
      places.set(id, (places.get(id) ?? new Map()).set(JSON.stringify(place), place));
    }
    for (const [name, member] of Object.entries(value)) visit(member, [...keys, name]);
  };
  visit(bundle, []);
  return places;
}

function placeAt([section, first = "", second = "", ...members]: readonly string[], bundle: Json): DecisionPlace {
  if (section === "components") return { component: [second, ...members.filter((name) => name !== "properties")].join(".") };
  if (section !== "paths") return {};
  const operation = Object(Object(bundle["paths"])[first])[second];
  return { operation: String(Object(operation)["operationId"]) };
}
