import type { ControlHandler } from "./control-types.js";

/** POST /_emulator/faults. */
export const createFault: ControlHandler<"createFault"> = ({ body }, { faults }) => faults.create(body);

/** GET /_emulator/faults. */
export const listFaults: ControlHandler<"listFaults"> = (_request, { faults }) => ({ faults: faults.list() });

/** DELETE /_emulator/faults. */
export const clearFaults: ControlHandler<"clearFaults"> = (_request, { faults }) => {
  faults.clear();
};

/** GET /_emulator/faults/{faultId}. */
export const getFault: ControlHandler<"getFault"> = ({ path }, { faults }) => faults.get(path.faultId);

/** DELETE /_emulator/faults/{faultId}. */
export const deleteFault: ControlHandler<"deleteFault"> = ({ path }, { faults }) => {
  faults.delete(path.faultId);
};
