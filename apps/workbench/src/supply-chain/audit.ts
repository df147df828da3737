/** What the registry knows against what is installed. */
import { pnpm } from "../release/pnpm.ts";

/** What there is to say, and whether anything has to be done. */
export interface Audit {
  lines: string[];
  sound: boolean;
}

interface Advisory {
  module_name: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
  patched_versions?: string;
  url: string;
  findings: readonly { version: string; paths: readonly string[] }[];
}

/** Asks for the workspace in a folder. A registry that cannot be asked is no reason to stop anybody's work, but it is said. */
export async function auditOf(root: string): Promise<Audit> {
  const { stdout, stderr } = await pnpm(["audit", "--audit-level", "high", "--json", "--config.fetchRetries=0"], root);
  if (!stdout.trim().startsWith("{")) {
    const reason = stderr
      .slice(Math.max(0, stderr.indexOf("ERR_PNPM")))
      .replace(/[\s│×├╰─▶]+/g, " ")
      .trim();
    if (!stderr.includes("ERR_PNPM_AUDIT_BAD_RESPONSE")) throw new Error(`pnpm audit: ${reason}`);
    return { lines: [`audit: offline, nothing was asked: ${reason}`], sound: true };
  }
  const { advisories }: { advisories: Record<string, Advisory> } = JSON.parse(stdout);
  const grave = Object.values(advisories).filter(({ severity }) => severity === "high" || severity === "critical");
  if (grave.length === 0) return { lines: ["audit: nothing high or critical is known"], sound: true };
  return { lines: grave.map(line), sound: false };
}

function line({ module_name, title, severity, findings, patched_versions, url }: Advisory): string {
  const versions = findings.map(({ version }) => version).join(", ");
  const way = findings[0]?.paths[0] ?? "";
  return `audit: ${module_name} ${versions}, ${severity}: ${title}; mended in ${patched_versions ?? "no version"}; by way of ${way}; ${url}`;
}
