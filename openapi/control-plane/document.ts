import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildApiDocument } from "../document/document.js";
import { defaultProfile } from "../gaps/profile.js";
import { sharedSchemas } from "../schemas/shared-schemas.js";
import type { ApiDefinition } from "../operations/register.js";
import { billingSchemas } from "./billing-operations.js";
import { type ControlOperationId, controlPlaneOperations } from "./operations.js";
import { peopleSchemas } from "./people-operations.js";
import { controlPlaneSchemas } from "./schemas.js";
import { namespaceSchemas } from "./namespace-operations.js";

const controlPlaneApi: ApiDefinition<ControlOperationId> = {
  title: "Control plane of the data service emulator",
  description:
    "What tests and developers need and the service has no endpoint for. It answers on the emulator's own machine only, " +
    "never on a deployment of the service. Its calls do not move the manual clock.",
  tags: [{ name: "Control plane", description: "State, time and what surrounds the service." }],
  operations: controlPlaneOperations,
  schemas: [sharedSchemas, controlPlaneSchemas, billingSchemas, peopleSchemas, namespaceSchemas],
};

/** The OpenAPI document of `/_emulator`. A member it does not know is a mistake, so it refuses one, and so is null. */
export function buildControlPlaneDocument(): OpenAPIObject {
  return buildApiDocument(controlPlaneApi, {
    kind: "strict",
    profile: { ...defaultProfile, "unknown-request-members": "reject", "null-optional-members": "reject" },
  });
}
