/**
 * Checks the version of Node.js before the modules of a command load, which older versions cannot parse. This one they can, and it imports
 * nothing.
 *
 * @module
 */

/**
 * Whether this Node.js is as new as a program needs. If not, prints one line to stderr and sets the exit code to 1.
 *
 * @param oldest - The oldest version of each accepted release line, such as `["20.19", "22.12"]`. Lines after the last are accepted too.
 */
export function checkNodeVersion(program: string, oldest: readonly string[], version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = oldest.some((line, index) => {
    const [oldestMajor = 0, oldestMinor = 0] = line.split(".").map(Number);
    const isLater = index === oldest.length - 1 && major > oldestMajor;
    return isLater || (major === oldestMajor && minor >= oldestMinor);
  });
  if (!isSupported) {
    const earlier = oldest.slice(0, -1).map((line) => `${line} or newer of version ${line.split(".")[0]}, or `);
    console.error(`${program}: Node.js ${version} is too old: expected ${earlier.join("")}${oldest.at(-1)} or newer`);
    process.exitCode = 1;
  }
  return isSupported;
}
