/** Writes data as the source of a module, in which an object that is used several times is one constant. */

/** The names of constants, and their declarations in the order in which they need each other. */
export interface Source {
  readonly declarations: string;
  readonly expressions: readonly string[];
}

/** Writes values that may share objects. The constant of a shared object is named by its title. */
export function sourceOf(values: readonly unknown[]): Source {
  const uses = new Map<object, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const before = uses.get(value) ?? 0;
    uses.set(value, before + 1);
    if (before === 0) for (const member of Object.values(value)) count(member);
  };
  count(values);

  const declarations: string[] = [];
  const constants = new Map<object, string>();
  const taken = new Set<string>();

  function expression(value: unknown): string {
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const known = constants.get(value);
    if (known !== undefined) return known;
    const text = literal(value);
    if ((uses.get(value) ?? 0) < 2 || text.length < 40) return text;
    const constant = freeName("title" in value ? String(value.title) : "shared");
    constants.set(value, constant);
    declarations.push(`const ${constant} = ${text};`);
    return constant;
  }

  function literal(value: object): string {
    if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${expression(member)}`).join(", ")} }`;
  }

  function freeName(name: string): string {
    const wanted = `$${name.replaceAll(/\W/g, "_")}`;
    let free = wanted;
    for (let number = 2; taken.has(free); number++) free = `${wanted}${number}`;
    taken.add(free);
    return free;
  }

  const expressions = values.map(expression);
  return { declarations: declarations.join("\n"), expressions };
}
