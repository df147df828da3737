import { FROZEN } from "../fuzz/indexes.ts";
import { killedDrops, killsAndStops } from "./kills-and-stops.ts";

killsAndStops(FROZEN, { kills: 40, stops: 3, seed: 2 });
killedDrops([5, 10, 15, 20]);
