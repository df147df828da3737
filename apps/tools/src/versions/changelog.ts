/** The changelog format for changesets: the text as written, without commit hashes, and dependencies in one line. */
interface Changeset {
  summary: string;
}

interface Dependency {
  name: string;
  newVersion: string;
}

/** The text of one changeset as a list item. An item of several lines is followed by an empty line. */
export function getReleaseLine({ summary }: Changeset): string {
  const [first = "", ...rest] = summary
    .trim()
    .replaceAll(/\n\n+- /g, "\n- ")
    .split("\n");
  const lines = rest.map((line) => (line.trim() === "" ? "" : `  ${line}`));
  return `- ${[first, ...lines].join("\n")}${lines.length > 0 ? "\n\n" : ""}`;
}

/** The raised dependencies of the package. */
export function getDependencyReleaseLine(_: readonly Changeset[], dependencies: readonly Dependency[]): string {
  if (dependencies.length === 0) return "";
  return `- Made with ${dependencies.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(" and ")}.`;
}
