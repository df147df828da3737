/** A clone of the last commit, in which a dry run makes versions and releases them. */
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { publicPackages, root, type WorkspacePackage } from "../workspace/packages.ts";
import { type CommandResult, machineEnvironment, namedPnpm, run, runChecked } from "../workspace/processes.ts";

/** The clone and the commands of a maintainer. */
export interface Clone {
  folder: string;
  /** The packages that it publishes. */
  packages(): WorkspacePackage[];
  /** Writes a changeset that raises every public package, makes the versions and commits them. */
  version(summary: string): Promise<void>;
  /** Runs `pnpm release` against a registry with a token and resolves with any exit code. */
  release(registry: string, token: string): Promise<CommandResult>;
}

/** Clones into a folder that does not exist yet. */
export async function makeClone(folder: string, signal: AbortSignal): Promise<Clone> {
  const identity = { NAME: "dry run", EMAIL: "dry-run@localhost" };
  const env = {
    ...machineEnvironment(),
    ...Object.fromEntries(
      Object.entries(identity).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
  await runChecked(["git", "clone", "--quiet", root, folder], { cwd: root, env, signal });
  const here = { cwd: folder, env, signal };
  await mkdir(join(folder, ".git/info"), { recursive: true });
  await appendFile(join(folder, ".git/info/exclude"), ".npmrc\n");
  const packages = () => publicPackages(folder);

  return {
    folder,
    packages,
    async version(summary) {
      const raised = packages().map(({ name }) => `"${name}": minor\n`);
      await writeFile(join(folder, ".changeset/dry-run.md"), `---\n${raised.join("")}---\n\n${summary}\n`);
      await runChecked(["git", "add", "--all"], here);
      await runChecked(["git", "commit", "--quiet", "--message", "dry run: a changeset"], here);
      await runChecked([...namedPnpm, "run", "version"], here);
      await runChecked(["git", "add", "--all"], here);
      await runChecked(["git", "commit", "--quiet", "--message", "dry run: versions"], here);
    },
    async release(registry, token) {
      const scope = packages()[0]?.name.split("/")[0];
      const lines = [`${scope}:registry=${registry}`, `${registry.replace(/^https?:/, "")}:_authToken=${token}`];
      await writeFile(join(folder, ".npmrc"), `${lines.join("\n")}\n`);
      return run([...namedPnpm, "--silent", "run", "release"], here);
    },
  };
}
