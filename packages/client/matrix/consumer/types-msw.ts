/** Type-checked only, by the compilers that msw's own declarations allow. */
import { handlers } from "@chain-query/client/msw";
import type { RequestHandler } from "msw";

export const all: readonly RequestHandler[] = handlers("https://node.example");
