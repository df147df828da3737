/**
 * Judges answers of the Chain Query HTTP API against its contract.
 *
 * @module
 */

export { type BodiesReport, type FileReport, FolderError, judgeBodies } from "./judge-bodies.ts";
export { type BodyReport, type Deviation, judgeBody, judgeBytes, operationIds, type Verdict } from "./judge-body.ts";
export { type KnownDeviation, knownDeviations } from "./known-deviations.ts";
