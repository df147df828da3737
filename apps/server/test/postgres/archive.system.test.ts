import { testArchive } from "./archive.ts";
import { smallChain } from "./indexed-chain.ts";

testArchive({ chain: { ...smallChain, blockInterval: 86_400 }, archived: 5, dropped: 9 });
