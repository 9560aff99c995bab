export { createEmulator, type Emulator, type EmulatorOptions, type ListenOptions } from "./api/emulator.js";
export type { EmulatorNamespace } from "./api/local-namespace.js";
export { Problem } from "./domain/problem.js";
export { defaultProfile, type Profile } from "../openapi/gaps/profile.js";
export type { FixtureName } from "../fixtures/register.js";
