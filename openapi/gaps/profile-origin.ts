import type { SchemaObject } from "openapi3-ts/oas31";

/** The member of a profile that tells where its answers come from. */
export const originField = "$origin";

/** Where the answers of a profile come from that was observed. */
export interface ProfileOrigin {
  /** Base URL of the deployment. */
  readonly deployment: string;
  /** The day when it was first seen to answer so, as `2026-11-22`. */
  readonly observed: string;
  /** Version of the contract whose gaps were asked for. */
  readonly contract: string;
  /** Gaps to which no answer was found, and which have their default ones. */
  readonly open: readonly string[];
}

/** What {@link originField} has to be. */
export const originSchema: SchemaObject = {
  type: "object",
  description: "Where the answers come from; written by `data-service observe`.",
  properties: {
    deployment: { type: "string", description: "Base URL of the deployment that was observed." },
    observed: {
      type: "string",
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
      description: "The day when it was first seen to answer so.",
    },
    contract: { type: "string", description: "Version of the contract." },
    open: {
      type: "array",
      items: { type: "string" },
      description: "Gaps to which no answer was found.",
    },
  },
  required: ["deployment", "observed", "contract", "open"],
  additionalProperties: false,
};

/** Whether a value is the origin of a profile. */
export function isProfileOrigin(value: unknown): value is ProfileOrigin {
  if (typeof value !== "object" || value === null) return false;
  const { deployment, observed, contract, open, ...rest } = value as Record<string, unknown>;
  return (
    typeof deployment === "string" &&
    typeof observed === "string" &&
    /^\d{4}-\d{2}-\d{2}$/.test(observed) &&
    typeof contract === "string" &&
    Array.isArray(open) &&
    open.every((gap) => typeof gap === "string") &&
    Object.keys(rest).length === 0
  );
}

/** Reads the origin out of a profile as it was written; undefined if it has none. */
export function getProfileOrigin(given: unknown): ProfileOrigin | undefined {
  const origin = (given as Readonly<Record<string, unknown>> | null)?.[originField];
  return isProfileOrigin(origin) ? origin : undefined;
}

/** The origin in one line. */
export function describeOrigin({ deployment, observed, contract, open }: ProfileOrigin): string {
  const rest =
    open.length === 0 ? "no gap is open" : `${open.length} gaps are open and have their default answers`;
  return `observed at ${deployment} on ${observed}, contract ${contract}; ${rest}`;
}
