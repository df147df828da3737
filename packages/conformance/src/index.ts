/**
 * Judges answers of the Chain Query HTTP API against its contract: those of a running service, or recorded ones.
 *
 * @module
 */

export { type BodyReport, type Deviation, judgeBody, judgeBytes, operationIds, type Verdict } from "./body/judge-body.ts";
export { type KnownDeviation, knownDeviations } from "./body/known-deviations.ts";
export { type BodiesReport, type FileReport, FolderError, judgeBodies } from "./body/recorded-folder.ts";
export type { Profile } from "./checks/suite.ts";
export type { Report, ReportedBreach, Result, Totals } from "./report/report.ts";
export { judgeService, type Plan, type Progress, ServiceError, type ServiceOptions } from "./service/judge-service.ts";
