import { surviveHostileServers } from "./relays.ts";

surviveHostileServers([1, 2, 3, 5], 20);
