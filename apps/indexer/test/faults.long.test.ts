import { FROZEN } from "@chain-query/testing/chains";
import { killedDrops, killsAndStops } from "./kills-and-stops.ts";

killsAndStops(FROZEN, { lease: "4s", kills: 40, stops: 3, seed: 2 });
killedDrops([5, 10, 15, 20]);
