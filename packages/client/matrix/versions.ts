/** The versions to check against. They are exact, so that a failing row means a change in this repository. */

/** Compilers: the oldest supported, that of the workspace, the last one in JavaScript, the first native one. */
export const typescripts: readonly string[] = ["5.4.5", "5.9.3", "6.0.3", "7.0.2"];

/** The declarations of msw need a newer compiler than this one. */
export const tooOldForMsw = "5.4.5";

/** Node.js: the oldest that `engines` allows, and the maintained lines. */
export const nodes: readonly string[] = ["20.19.6", "22.23.3", "24.21.0", "26.10.0"];

export const bun = "1.4.5";
export const deno = "2.9.6";
export const workerd = "1.20261117.1";

/** Installed beside the package: the optional peer dependencies, and the types of Node.js that they need. */
export const peers: Readonly<Record<string, string>> = {
  "@tanstack/query-core": "5.108.0",
  msw: "3.0.5",
  "@types/node": "24.19.2",
};
