import { surviveHostileServers } from "./relays.ts";

surviveHostileServers([3], 2);
