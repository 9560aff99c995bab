import type { ControlHandler } from "./control-types.js";

/** POST /_emulator/faults. */
export const createFault: ControlHandler<"createFault"> = ({ body }, { faults }) => ({
  status: 201,
  body: faults.create(body),
});

/** GET /_emulator/faults. */
export const listFaults: ControlHandler<"listFaults"> = (_request, { faults }) => ({
  status: 200,
  body: { faults: faults.list() },
});

/** DELETE /_emulator/faults. */
export const clearFaults: ControlHandler<"clearFaults"> = (_request, { faults }) => {
  faults.clear();
  return { status: 204 };
};

/** GET /_emulator/faults/{faultId}. */
export const getFault: ControlHandler<"getFault"> = ({ path }, { faults }) => ({
  status: 200,
  body: faults.get(path.faultId),
});

/** DELETE /_emulator/faults/{faultId}. */
export const deleteFault: ControlHandler<"deleteFault"> = ({ path }, { faults }) => {
  faults.delete(path.faultId);
  return { status: 204 };
};
