import { billingOperations } from "./billing.js";
import { namespaceOperations } from "./namespaces.js";
import { organizationOperations } from "./organizations.js";
import { peopleOperations } from "./people.js";
import { requestOperations } from "./requests.js";
import { stateOperations } from "./state.js";

/** The operations that the emulator offers in addition to the service, under `/_emulator`. */
export const controlPlaneOperations = {
  ...stateOperations,
  ...peopleOperations,
  ...organizationOperations,
  ...billingOperations,
  ...namespaceOperations,
  ...requestOperations,
};

/** The id of an operation of the control plane. */
export type ControlOperationId = keyof typeof controlPlaneOperations;
