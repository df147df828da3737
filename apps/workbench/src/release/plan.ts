/** What a release publishes: the plan that `changeset publish-plan` writes, with the dist-tags that we choose. */
import { UsageError } from "../workspace/command-line.ts";

/** An entry of the plan. */
export interface PlannedRelease {
  readonly kind: "publish" | "tag-only";
  readonly name: string;
  readonly version: string;
  readonly tag?: string;
}

/** The plan of changesets, in groups that are published one after the other: dependencies first. */
export interface PublishPlan {
  readonly version: 1;
  readonly plan: readonly (readonly PlannedRelease[])[];
}

/** A release goes under `latest`, a prerelease under its first word: 2.1.0-next.0 under `next`. */
export function distTag({ name, version }: Pick<PlannedRelease, "name" | "version">): string {
  const prerelease = /^\d+\.\d+\.\d+-([^+]*)/.exec(version)?.[1];
  const word = prerelease === undefined ? "latest" : /^[a-z]+/i.exec(prerelease)?.[0];
  if (word !== undefined) return word;
  throw new UsageError(`${name} ${version}: its prerelease has no word for a dist-tag; run pnpm run version, or give --tag`);
}

/** Sets the dist-tag of each package: `wanted`, or the one of its version. */
export function withDistTags({ version, plan }: PublishPlan, wanted: string | undefined): PublishPlan {
  return {
    version,
    plan: plan.map((group) =>
      group.map((each) => (each.kind === "publish" ? { ...each, tag: wanted ?? distTag(each) } : each)),
    ),
  };
}
