import { DAYS, FROZEN, RESHARDED } from "@chain-query/testing/chains";
import { killedDrops, killsAndStops, killsBesideEvents } from "./kills-and-stops.ts";

killsAndStops(FROZEN, { lease: "4s", kills: 40, stops: 3, seed: 2 });
killsBesideEvents();
// Partitions end right before and right after steps in which shards split or merge.
killedDrops({ chain: DAYS, every: 5, firstSteps: [5, 10, 15, 20] });
killedDrops({ chain: RESHARDED, every: 3, firstSteps: [3, 6, 9, 12, 15, 18, 21] });
