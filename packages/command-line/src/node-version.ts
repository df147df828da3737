/**
 * Checks the version of Node.js before the modules of a command load, which older versions cannot parse. This one they can, and it imports
 * nothing.
 *
 * @module
 */

/**
 * Whether this Node.js is 20.19, 22.12 or newer. If not, prints one line to stderr and sets the exit code to 1.
 *
 * @example
 * ```ts
 * if (checkNodeVersion("chain-query-mock")) import("../dist/cli.js");
 * ```
 */
export function checkNodeVersion(program: string, version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (!isSupported) {
    console.error(`${program}: Node.js ${version} is too old: expected 20.19 or newer of version 20, or 22.12 or newer`);
    process.exitCode = 1;
  }
  return isSupported;
}
