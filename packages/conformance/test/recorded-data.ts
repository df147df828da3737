/** Data of real deployments, in a folder beside the checkout that a public clone does not have. */

export function recordedFolder(name: string): URL {
  return new URL(`../../../../shared/${name}/`, import.meta.url);
}

/** The reason for a skipped test. */
export function noRecordedData(name: string): string {
  return `skipped: no recorded data in ../shared/${name}`;
}
