/** What the registry says, in one line where it refuses. */
import { UsageError } from "../command.ts";
import { pnpm } from "./pnpm.ts";

/** The integrity of a version that is in the registry, or undefined where it is not. */
export async function publishedIntegrity(name: string, version: string, cwd: string): Promise<string | undefined> {
  // One retry after a second, and not for minutes: whoever releases waits for the answer.
  const patience = ["--config.fetchRetries=1", "--config.fetchRetryMintimeout=1000"];
  const { code, stdout, stderr } = await pnpm(["view", `${name}@${version}`, "--json", ...patience], cwd);
  const answer: { dist?: { integrity?: string }; error?: { code?: string } } = jsonIn(stdout);
  if (code === 0) return answer.dist?.integrity ?? "";
  if (answer.error?.code === "ERR_PNPM_FETCH_404" || answer.error?.code === "ERR_PNPM_PACKAGE_NOT_FOUND") return undefined;
  throw new UsageError(`the registry does not say whether it has ${name} ${version}: ${reasonIn(stdout, stderr)}`);
}

/** Sends one tarball. Rejects with what the registry said where it does not take it; then nothing of the package is published. */
export async function publishTarball(tarball: string, tag: string, provenance: boolean, cwd: string): Promise<void> {
  const flags = ["--json", "--no-git-checks", "--access", "public", "--tag", tag, ...(provenance ? ["--provenance"] : [])];
  const { code, stdout, stderr } = await pnpm(["publish", tarball, ...flags], cwd);
  if (code !== 0) throw new UsageError(reasonIn(stdout, stderr));
}

/** The registry that packages of this scope are published to. */
export async function registryOf(name: string, cwd: string): Promise<string> {
  for (const key of [`${name.split("/")[0]}:registry`, "registry"]) {
    const { stdout } = await pnpm(["config", "get", key], cwd);
    if (URL.canParse(stdout.trim())) return stdout.trim();
  }
  return "https://registry.npmjs.org/";
}

/** What went wrong, as one line: pnpm's message, and what the registry itself gave as the reason. */
function reasonIn(stdout: string, stderr: string): string {
  const { error }: { error?: { message?: string } } = jsonIn(stdout);
  const [message = "", details = ""] = (error?.message ?? `${stdout}${stderr}`).split("\nDetails:");
  const said = /"error":\s*"((?:[^"\\]|\\.)*)"/.exec(details)?.[1];
  return oneLine(said === undefined ? message : `${message}: ${said}`);
}

/** pnpm prints its JSON last; a package's own scripts and warnings may come before. */
function jsonIn(stdout: string): Record<string, unknown> {
  const start = stdout.search(/^\{/m);
  if (start < 0) return {};
  try {
    return JSON.parse(stdout.slice(start));
  } catch {
    return {};
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 500);
}
