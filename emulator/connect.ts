/**
 * `data-service-emulator/connect`: a client for an emulator in another process, without the emulator itself. Also
 * available as CommonJS, for test runners that cannot load ES modules.
 */
export {
  connectEmulator,
  type ConnectOptions,
  type RemoteEmulator,
  type RemoteNamespace,
} from "./api/connect.js";
export { Problem } from "./domain/problem.js";
