/** Completion of commands and options in shells, made from the command line. */
import { flagName } from "@chain-query/command-line";
import { program } from "./program.ts";

/** The script that `eval "$(chain-query completion bash)"` and the like load. */
export function completionScript(shell: string): string {
  const commands = Object.entries(program.commands);
  const optionsOf = (flags: object): string[] => Object.keys(flags).map((key) => `--${flagName(key)}`);
  if (shell === "fish") {
    const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
    const lines = commands.flatMap(([name, { summary, flags }]) => [
      `complete -c chain-query -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...Object.entries(flags).map(
        ([key, { type, help }]) =>
          `complete -c chain-query -n '__fish_seen_subcommand_from ${name}' -l ${flagName(key)}${type ? " -r" : ""} -d ${quoted(help)}`,
      ),
    ]);
    // No command takes a file.
    return ["complete -c chain-query -f", ...lines, ""].join("\n");
  }
  const cases = commands.map(([name, { flags }]) => `    ${name}) words="${optionsOf(flags).join(" ")}" ;;`);
  return `${shell === "zsh" ? "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n" : ""}_chain_query() {
  local words="${commands.map(([name]) => name).join(" ")}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _chain_query chain-query
`;
}
