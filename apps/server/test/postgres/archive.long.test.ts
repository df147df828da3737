import { testArchive } from "./archive.ts";
import { frozenChain } from "./indexed-chain.ts";

testArchive({ chain: frozenChain, archived: 12, dropped: 19 });
