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
        "Operations for tests and development that the service does not offer. They are available only on the " +
        "machine that runs the emulator, never on a deployment of the service. Requests to these operations do not advance the manual clock.",
      tags: [
        {
          name: "Control plane",
          description: "Operations that let tests read and change the emulator's state and time.",
        },
      ],
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
