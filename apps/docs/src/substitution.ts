/** Changes to text that somebody else generates, which must not pass in silence when that text no longer looks as expected. */

/**
 * Replaces every match of a pattern, and fails where there is none.
 *
 * @example
 * substitute("a-b", "Redoc's page", /-/g, () => "+"); // "a+b"
 */
export function substitute(source: string, name: string, pattern: RegExp, replacement: (...found: string[]) => string): string {
  if (source.search(pattern) === -1) {
    throw new Error(
      `${name} no longer contains ${pattern}: see what this version of Redoc writes there, and adapt the pattern`,
    );
  }
  return source.replace(pattern, replacement);
}
