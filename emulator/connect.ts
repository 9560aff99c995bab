/**
 * `data-service-emulator/connect`: a handle on an emulator in another process, without the emulator itself. The only
 * entry point that CommonJS can load as well, for test runners that know nothing else.
 */
export {
  connectEmulator,
  type ConnectOptions,
  type RemoteEmulator,
  type RemoteNamespace,
} from "./api/connect.js";
export { Problem } from "./domain/problem.js";
