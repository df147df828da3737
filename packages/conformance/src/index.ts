/**
 * Validates responses of the Chain Query HTTP API, of a running service or recorded, against its contract.
 *
 * @module
 */

export { type KnownDeviation, knownDeviations } from "./body/known-deviations.ts";
export { type BodiesReport, type FileReport, FolderError, validateBodies } from "./body/recorded-folder.ts";
export {
  type BodyOutcome,
  type BodyReport,
  type Deviation,
  operationIds,
  validateBody,
  validateBytes,
} from "./body/validate-body.ts";
export type { Profile } from "./checks/suite.ts";
export type { Report, ReportedViolation, Result, Totals } from "./report/report.ts";
export { type Plan, type Progress, ServiceError, type ServiceOptions, validateService } from "./service/validate-service.ts";
