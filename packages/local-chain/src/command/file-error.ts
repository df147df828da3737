import { CommandLineError } from "@chain-query/command-line";
import { reasonOf } from "../store/store-error.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
};

/** One line about a file that an option names. */
export function fileError(option: string, file: string, action: "read" | "written", cause: unknown): CommandLineError {
  const code = errorCode(cause);
  const reason = (code === undefined ? undefined : REASONS[code]) ?? reasonOf(cause);
  return new CommandLineError([`${option}: ${file} cannot be ${action}: ${reason}`]);
}

/** Such as "ENOENT"; undefined for errors that are not of the system. */
export function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}
