/**
 * Judges answers of the Chain Query HTTP API against its contract: those of a running service, or recorded ones.
 *
 * @module
 */

export { type BodiesReport, type FileReport, FolderError, judgeBodies } from "./judge-bodies.ts";
export { type BodyReport, type Deviation, judgeBody, judgeBytes, operationIds, type Verdict } from "./judge-body.ts";
export { judgeService, type Plan, type Progress, ServiceError, type ServiceOptions } from "./judge-service.ts";
export { type KnownDeviation, knownDeviations } from "./known-deviations.ts";
export type { Report, ReportedBreach, Result, Totals } from "./report.ts";
export type { Profile } from "./suite.ts";
