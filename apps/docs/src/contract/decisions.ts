/** The choices of DECISIONS.md. */

/** What each decision chose, in words, by ids such as `D-07`. */
export type Choices = ReadonlyMap<string, string>;

/** Parses the text of DECISIONS.md. */
export function readChoices(markdown: string): Choices {
  const sections = markdown.split(/^## (?=D-\d)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const number = /^D-\d+/.exec(section)?.[0] ?? "";
      const choice = /^- We chose: (.+)$/m.exec(section)?.[1];
      if (choice === undefined) throw new Error(`DECISIONS.md, ${number}: expected a line that begins with "- We chose: "`);
      return [number, choice] as const;
    }),
  );
}
