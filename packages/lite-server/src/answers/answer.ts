import type { LiteAnswer, LiteArguments, LiteFunction } from "@chain-query/lite-protocol/tl";
import type { LoadedChain } from "../loaded-chain.ts";

/** Answers one function. Throws a `LiteFailure` for what it refuses. */
export type Answer<Name extends LiteFunction> = (chain: LoadedChain, args: LiteArguments<Name>) => LiteAnswer<Name>;

/** The functions of a part of the API. */
export type Answers<Name extends LiteFunction> = { readonly [Each in Name]: Answer<Each> };
