import { surviveOutages } from "./outage.ts";

surviveOutages([1, 2, 3, 5], 20, 135_000);
