/** Where versions come from: one exact one of everything, in the catalog, and a registry that had a day to think. */
import type { Manifest } from "../release/packages.ts";

/** The members of pnpm-workspace.yaml that are judged. */
export interface WorkspaceSettings {
  catalog?: Record<string, string>;
  minimumReleaseAge?: number;
  minimumReleaseAgeExclude?: unknown;
  blockExoticSubdeps?: boolean;
  allowBuilds?: Record<string, boolean>;
  dangerouslyAllowAllBuilds?: boolean;
}

const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const aDay = 1440;

/** One line for each entry of pnpm-workspace.yaml that leaves open what gets installed. */
export function settingsFaults(settings: WorkspaceSettings): string[] {
  const faults = Object.entries(settings.catalog ?? {})
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => `catalog: ${name} is ${version}, which is no exact version`);
  if ((settings.minimumReleaseAge ?? 0) < aDay) faults.push(`minimumReleaseAge is less than a day, ${aDay}`);
  if (settings.minimumReleaseAgeExclude !== undefined) faults.push("minimumReleaseAgeExclude lets something in at once");
  if (settings.blockExoticSubdeps !== true) faults.push("blockExoticSubdeps is not true");
  if (settings.allowBuilds === undefined) faults.push("allowBuilds names no install script");
  if (settings.dangerouslyAllowAllBuilds === true) faults.push("dangerouslyAllowAllBuilds lets every install script run");
  return faults.map((fault) => `pnpm-workspace.yaml: ${fault}`);
}

/** One line for each dependency that names a version of its own. Peers are ranges: the consumer chooses. */
export function manifestFaults(path: string, manifest: Partial<Manifest> & { packageManager?: string }): string[] {
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;
  const faults = kinds.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, range]) => range !== "catalog:" && range !== "workspace:*")
      .map(([name, range]) => `${kind} asks for ${name} at ${range}; catalog: and workspace:* are accepted`),
  );
  const { packageManager } = manifest;
  if (packageManager !== undefined && !/^pnpm@\d+\.\d+\.\d+/.test(packageManager)) {
    faults.push(`packageManager is ${packageManager}, which is no exact version of pnpm`);
  }
  return faults.map((fault) => `${path}: ${fault}`);
}
