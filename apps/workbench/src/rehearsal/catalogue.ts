/** What a registry tells of a version, read as any program could. */

/** The members of a published manifest that a rehearsal looks at. */
export interface PublishedManifest {
  dependencies: Record<string, string>;
  dist: { tarball: string };
}

/** Resolves to the manifest of a version, or undefined where the registry does not have it. */
export async function publishedManifest(
  registry: string,
  name: string,
  version: string,
): Promise<PublishedManifest | undefined> {
  const answer = await fetch(`${registry}${name.replace("/", "%2f")}`);
  if (answer.status === 404) return undefined;
  const { versions }: { versions: Record<string, { dependencies?: Record<string, string>; dist: { tarball: string } }> } =
    JSON.parse(await answer.text());
  const found = versions[version];
  return found && { dependencies: found.dependencies ?? {}, dist: found.dist };
}
