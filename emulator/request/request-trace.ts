import type { Caller } from "../access/caller.js";
import type { TakeFault } from "./handler-faults.js";

/** What is noted of a request on its way, for the journal and by fault rules. */
export class RequestTrace {
  /** The time of the request by the emulator's clock; `NaN` until it has one. */
  at = NaN;
  /** Nobody until the credential was accepted. */
  caller: Caller | undefined = undefined;
  /** The ids of the fault rules that fired. */
  faults: readonly string[] = none;
  /** The body, as far as it was read. */
  body: Uint8Array | undefined = undefined;
  /** Asks the fault rules what the handler is to fail with. */
  fault: TakeFault | undefined = undefined;
}

const none: readonly string[] = [];
