import type { FailureReason } from "@chain-query/openapi/requests";

/** The reasons of failures by status, where the status alone tells it. */
const reasons: Readonly<Record<number, FailureReason>> = {
  401: "unknown_key",
  403: "wrong_network",
  404: "unknown_path",
  405: "wrong_method",
  408: "timeout",
  413: "too_large",
  414: "too_large",
  415: "unsupported_media",
  429: "rate_limited",
  431: "too_large",
  502: "unavailable",
  503: "unavailable",
  504: "timeout",
  542: "unavailable",
};

/** The reason of a failure with this status that has no reason of its own. */
export function reasonOf(status: number): FailureReason {
  return reasons[status] ?? (status < 500 ? "invalid_input" : "internal");
}
