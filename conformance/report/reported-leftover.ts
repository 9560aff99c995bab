import type { LeftoverResource } from "../resources/remove-resources.js";

/** A resource that a run created and could not remove, without secrets. */
export interface ReportedLeftover {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
}

/** @param hide masks secrets */
export function toReportedLeftovers(
  left: readonly LeftoverResource[],
  hide: (text: string) => string,
): readonly ReportedLeftover[] {
  return left.map(({ entry: { kind, name }, reason }) => ({ kind, name, reason: hide(reason) }));
}
