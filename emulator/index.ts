export { createEmulator, type Emulator } from "./api/emulator.js";
export type { EmulatorOptions, ListenOptions } from "./api/emulator-options.js";
export type { OperationId } from "../openapi/operations/register.js";
export type { EmulatorEnv } from "./request/emulator-env.js";
export type { CompletedRequest } from "./request/completed-request.js";
export {
  connectEmulator,
  type ConnectOptions,
  type RemoteEmulator,
  type RemoteNamespace,
} from "./api/connect.js";
export type { EmulatorNamespace } from "./api/emulator-namespace.js";
export { Problem } from "./domain/problem.js";
export { defaultProfile, type Profile } from "../openapi/gaps/profile.js";
export type { FixtureName } from "../fixtures/register.js";
export type { Seed } from "../fixtures/seed.js";
