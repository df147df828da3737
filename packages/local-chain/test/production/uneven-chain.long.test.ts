import { testUnevenChain } from "./uneven-chain.ts";

testUnevenChain(150);
