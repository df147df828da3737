/** Finds a program on the machine, or unpacks Debian's packages of it into a cache folder; installs those that do not run unpacked. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { cached } from "../cache.ts";
import { until } from "../until.ts";
import type { Unavailable } from "./server.ts";

const run = promisify(execFile);

/** The packages of a program, with the libraries that a minimal Debian does not have. */
const packages = {
  prometheus: ["prometheus"],
  "redis-server": ["redis-server", "redis-tools", "libatomic1", "libjemalloc2", "liblzf1", "libssl3"],
  nginx: ["nginx", "libpcre2-8-0", "libssl3"],
  haproxy: ["haproxy", "liblua5.3-0", "libopentracing1", "libopentracing-c-wrapper0", "libpcre2-8-0", "libssl3"],
} as const;

/** Packages of programs that look for their files or for themselves outside of the cache folder. */
const installedPackages = {
  buildah: ["buildah"],
  debootstrap: ["debootstrap", "debian-archive-keyring"],
  "docker-compose": ["docker-compose"],
  "systemd-analyze": ["systemd"],
} as const;

interface Program {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the program, or why this machine cannot have it. */
export async function debianProgram(name: keyof typeof packages): Promise<Program | Unavailable> {
  const path = find(name, systemFolders());
  if (path !== undefined) return { path, env: {} };
  try {
    return await unpacked(name, await cached(`test-services/${name}`, (folder) => unpack(name, folder)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: `${name} is not installed, and Debian's package is not available: ${message.split("\n", 2).join(" ")}` };
  }
}

/** Returns the path of a program, which is installed if it is missing. */
export async function installedProgram(name: keyof typeof installedPackages): Promise<string> {
  if (find(name, systemFolders()) === undefined) {
    if (process.getuid?.() !== 0) throw new Error(`${name} is not installed, and only root can install it`);
    const wait = ["-o", "DPkg::Lock::Timeout=300"];
    await withLists(() => run("apt-get", ["install", "-y", "--no-install-recommends", ...wait, ...installedPackages[name]]));
  }
  return find(name, systemFolders()) ?? name;
}

function systemFolders(): string[] {
  return ["/usr/local/bin", "/usr/bin", "/usr/sbin", ...(process.env["PATH"] ?? "").split(delimiter)];
}

/** Downloads the lists of packages, and tries again, if a first try fails as on a machine without lists. */
async function withLists(download: () => Promise<unknown>): Promise<void> {
  await download().catch(async () => {
    // Another test may download them, too.
    const isBusy = ({ stderr = "" }) => stderr.includes("Could not get lock");
    await until(() => run("apt-get", ["update"]).catch((error) => (isBusy(error) ? undefined : Promise.reject(error))));
    await download();
  });
}

async function unpacked(name: string, root: string): Promise<Program> {
  const path = find(name, [join(root, "usr/bin"), join(root, "usr/sbin")]);
  if (path === undefined) throw new Error(`${root} has no ${name}; remove the folder`);
  // A program without libraries has no such folder.
  const folders = await readdir(join(root, "usr/lib")).catch(() => []);
  const [libraries = ""] = folders.filter((folder) => folder.endsWith("-linux-gnu"));
  return {
    path,
    env: { LD_LIBRARY_PATH: join(root, "usr/lib", libraries) },
  };
}

async function unpack(name: keyof typeof packages, folder: string): Promise<void> {
  await withLists(() => run("apt-get", ["download", ...packages[name]], { cwd: folder }));
  for (const file of await readdir(folder)) {
    if (!file.endsWith(".deb")) continue;
    await run("dpkg", ["-x", file, folder], { cwd: folder });
    await rm(join(folder, file));
  }
}

function find(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
