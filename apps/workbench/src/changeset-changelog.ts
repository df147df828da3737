/** How a changeset reads in a changelog: as it was written, without numbers of commits, and dependencies in one line. */
interface Changeset {
  summary: string;
}

interface Dependency {
  name: string;
  newVersion: string;
}

/** The text of one changeset as an item of a list. One of several lines stands apart from the next; a list in it joins its head. */
export function getReleaseLine({ summary }: Changeset): string {
  const [first = "", ...rest] = summary
    .trim()
    .replaceAll(/\n\n+- /g, "\n- ")
    .split("\n");
  const lines = rest.map((line) => (line.trim() === "" ? "" : `  ${line}`));
  return `- ${[first, ...lines].join("\n")}${lines.length > 0 ? "\n\n" : ""}`;
}

/** The versions that the package was released with. */
export function getDependencyReleaseLine(_: readonly Changeset[], dependencies: readonly Dependency[]): string {
  if (dependencies.length === 0) return "";
  return `- Made with ${dependencies.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(" and ")}.`;
}

const sections = { Major: "Breaking changes", Minor: "New", Patch: "Smaller changes" };

/** Names the sections of a changelog for who reads what changed, not for who numbers it. */
export function withSections(changelog: string): string {
  return changelog.replace(
    /^### (Major|Minor|Patch) Changes$/gm,
    (_, level: keyof typeof sections) => `### ${sections[level]}`,
  );
}
