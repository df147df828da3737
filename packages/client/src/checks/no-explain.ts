/** Takes the place of explain.ts in browser builds for production. */
import type { Explain, historyHint as hint } from "./explain.ts";

export const explain: Explain = (name) => `${name || "none"} is not accepted`;

export const historyHint: typeof hint = () => "";
