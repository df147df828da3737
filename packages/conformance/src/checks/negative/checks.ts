import type { Check } from "../check.ts";
import { bodyRefusals } from "./bodies.ts";
import { addressRefusals, memberRefusals } from "./members.ts";
import { refusalCheck } from "./refusal.ts";

/** Every invalid request is refused, and never with the failure of the service. */
export const negativeChecks: readonly Check[] = [...bodyRefusals, ...memberRefusals, ...addressRefusals].map(refusalCheck);
