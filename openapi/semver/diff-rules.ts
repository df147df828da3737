/** Rules that `redocly diff` lacks, as a plugin of redocly.yaml beside this file. */

/** A place of a document, such as a schema. */
interface Place {
  type: { name: string };
  value: unknown;
}

/** The part of a change that these rules read. */
interface Change {
  kind: "added" | "removed" | "modified";
  node: { base?: Place; revision?: Place };
  property: string;
  base?: { value?: unknown };
  revision?: { value?: unknown };
}

interface Context {
  report(problem: { message: string }): void;
  /** Whether the changed place is part of requests, of responses, or of both. */
  getDirections(): ("request" | "response")[];
}

type Rule = () => Record<string, (change: Change, context: Context) => void>;

/** Members for readers only. All others describe how the service behaves. */
const prose = ["description", "summary", "title", "example", "examples", "externalDocs", "tags"];
const aboutTheContract = ["Root", "Info", "Contact", "License", "Server", "ServerVariable", "Tag", "Example", "ExternalDocs"];

const rules: Record<string, Rule> = {
  /** A request that omits an input gets the default, so another default changes the response to the same request. */
  "default-changed": () => ({
    Schema: ({ kind, property, base, revision }, { report, getDirections }) => {
      const before = base?.value;
      const after = revision?.value;
      if (kind !== "modified" || property !== "default" || before === undefined || !getDirections().includes("request")) return;
      report({
        message: after === undefined ? `Default '${before}' was removed.` : `Default changed from '${before}' to '${after}'.`,
      });
    },
  }),

  /** A request with an unneeded key is still served, but without the rights of the key. */
  "credential-removed": () => ({
    SecurityRequirement: ({ kind, node }, { report }) => {
      const schemes = Object.keys(Object(node.base?.value));
      if (kind === "removed" && schemes.length > 0)
        report({ message: `\`${schemes.join(" + ")}\` is no longer a way to authenticate.` });
    },
  }),

  /** Programs that rely on the new behaviour cannot go back to the old version, so this is more than a patch. */
  "behaviour-changed": () => ({
    any: ({ kind, node, property }, { report }) => {
      if (kind !== "modified" || prose.includes(property) || property.startsWith("x-")) return;
      const place = node.revision?.type.name ?? "";
      if (!aboutTheContract.includes(place)) report({ message: `\`${property}\` was changed.` });
    },
  }),
};

/** The plugin, as Redocly loads it. */
export default function contractRules(): { id: string; diff: { oas3: Record<string, Rule> } } {
  return { id: "contract", diff: { oas3: rules } };
}
