/** What the package is proven against. Exact, so that a row that fails tells of a change of ours. */

/** Compilers of consumers: the oldest that is promised, the workspace's own, the last in JavaScript, the first native one. */
export const typescripts: readonly string[] = ["5.4.5", "5.9.3", "6.0.3", "7.0.2"];

/** The declarations of msw itself ask for more than this one. */
export const tooOldForMsw = "5.4.5";

/** Node.js: the oldest that `engines` admits, and the lines that are kept. */
export const nodes: readonly string[] = ["20.19.6", "22.23.3", "24.21.0", "26.10.0"];

export const bun = "1.4.5";
export const deno = "2.9.6";
export const workerd = "1.20261117.1";

/** What a consumer installs beside the package: the optional peer, and types of Node.js for what peers ask of it. */
export const peers: Readonly<Record<string, string>> = { msw: "3.0.5", "@types/node": "24.19.2" };
