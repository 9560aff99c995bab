import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildApiDocument } from "../document/document.js";
import { sharedSchemas } from "../schemas/shared-schemas.js";
import { billingSchemas } from "./billing.js";
import { controlStrictness } from "./define-control.js";
import { namespaceSchemas } from "./namespaces.js";
import { controlPlaneOperations } from "./operations.js";
import { organizationSchemas } from "./organizations.js";
import { peopleSchemas } from "./people.js";
import { requestSchemas } from "./requests.js";
import { stateSchemas } from "./state.js";

/** The OpenAPI document of `/_emulator`. */
export function buildControlPlaneDocument(): OpenAPIObject {
  return buildApiDocument(
    {
      title: "Control plane of the data service emulator",
      description:
        "What tests and developers need and the service has no endpoint for. It answers on the emulator's own machine only, " +
        "never on a deployment of the service. Its calls do not move the manual clock.",
      tags: [{ name: "Control plane", description: "State, time and what surrounds the service." }],
      operations: controlPlaneOperations,
      schemas: [
        sharedSchemas,
        stateSchemas,
        peopleSchemas,
        organizationSchemas,
        billingSchemas,
        namespaceSchemas,
        requestSchemas,
      ],
    },
    controlStrictness,
  );
}
