import { SCENARIO_STEPS } from "../../src/scenario/run-scenario.ts";
import { testScenario } from "./run-scenario.ts";

testScenario(SCENARIO_STEPS.gift + 1, 2);
