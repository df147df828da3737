import { type Command, type Flag, flagName, type Program } from "./program.ts";

/** The help of a program, or of its commands whose names begin with a word. */
export function helpText(program: Program, word = ""): string {
  const named = Object.entries(program.commands).filter(([name]) => name.split(" ")[0] === word);
  const shown = word === "" || named.length === 0 ? Object.entries(program.commands) : named;
  const usage = shown.map(([name]) => usageOf(program, name)).join("\n       ");
  const rows = rowsOf(shown);
  const column = Math.max(...rows.map(([label, help]) => (help === undefined ? 0 : label.length))) + 2;
  const lines = rows.map(([label, help]) => (help === undefined ? label : `${label.padEnd(column)}${help}`));
  return `Usage: ${usage}\n\n${lines.join("\n").trimStart()}\n${program.notes === undefined ? "" : `\n${program.notes}\n`}`;
}

/** How a command is written, such as `program advance <folder> <blocks>`. */
export function usageOf({ name: program, commands }: Program, name: string): string {
  const { arguments: parameters = {}, flags = {} } = commands[name] ?? {};
  const required = Object.entries(flags).filter(([, flag]) => flag.required);
  const words = [
    program,
    name,
    ...Object.values(parameters).map(({ placeholder }) => placeholder),
    ...required.map(([key, { type }]) => `--${flagName(key)} ${type?.placeholder}`),
    Object.keys(flags).length > required.length ? "[options]" : "",
  ];
  return words.filter((word) => word !== "").join(" ");
}

type Row = readonly [label: string, help?: string];

/** The lines of all commands; an option that several commands share is shown with the first. */
function rowsOf(commands: readonly (readonly [string, Command])[]): Row[] {
  const seen = new Set<Flag>();
  const rows = commands.flatMap(([name, { summary, flags, readConfig }]): Row[] => {
    const own = Object.entries(flags).filter(([, flag]) => !seen.has(flag));
    for (const [, flag] of own) seen.add(flag);
    const options = own.map(([key, flag]): Row => [`  ${labelOf(key, flag)}`, helpOf(flag)]);
    const config: Row[] = readConfig ? [["  --config <file>", "read options from a file"]] : [];
    const title: Row[] = name === "" ? [[summary], [""]] : [[""], [`${name}: ${summary}`]];
    return [...title, ...options, ...config];
  });
  return [...rows, ["  --help, --version"]];
}

function labelOf(key: string, { type }: Flag): string {
  return `--${flagName(key)}${type === undefined ? "" : ` ${type.placeholder}`}`;
}

function helpOf(flag: Flag): string {
  return flag.default === undefined ? flag.help : `${flag.help} (default ${flag.default})`;
}
