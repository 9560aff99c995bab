import type { SchemaObject } from "openapi3-ts/oas31";

/** The field of a profile that says where its answers come from. */
export const profileOriginField = "$origin";

/** Where the answers of an observed profile come from. */
export interface ProfileOrigin {
  /** Base URL of the deployment. */
  readonly deployment: string;
  /** Date of the first observation of these answers, such as `2026-11-22`. */
  readonly observed: string;
  /** Version of the contract whose gaps were observed. */
  readonly contract: string;
  /** Gaps without an observed answer, which have their default answers. */
  readonly open: readonly string[];
}

/** The schema of {@link profileOriginField}. */
export const profileOriginSchema: SchemaObject = {
  type: "object",
  description: "Origin of the answers in this profile. Written by `data-service observe`.",
  properties: {
    deployment: { type: "string", description: "Base URL of the deployment that was observed." },
    observed: {
      type: "string",
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
      description: "Date of the first observation of these answers.",
    },
    contract: { type: "string", description: "Version of the contract." },
    open: {
      type: "array",
      items: { type: "string" },
      description: "Gaps without an observed answer.",
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

/** Returns the origin of a profile as it was written; undefined if it has none. */
export function getProfileOrigin(given: unknown): ProfileOrigin | undefined {
  const origin = (given as Readonly<Record<string, unknown>> | null)?.[profileOriginField];
  return isProfileOrigin(origin) ? origin : undefined;
}

/** Describes the origin in one line. */
export function describeProfileOrigin({ deployment, observed, contract, open }: ProfileOrigin): string {
  const rest =
    open.length === 0 ? "every gap was observed" : `gaps without an observed answer: ${open.length}`;
  return `observed at ${deployment} on ${observed}, contract ${contract}; ${rest}`;
}
