import { killsAndStops } from "./kills-and-stops.ts";

killsAndStops({ kills: 40, stops: 3, seed: 2 });
