export { createEmulator, type Emulator, type EmulatorOptions, type ListenOptions } from "./emulator.js";
export type { EmulatorNamespace } from "./local-namespace.js";
export { Problem } from "./problem.js";
export { defaultProfile, type Profile } from "../openapi/profile.js";
export type { FixtureName } from "../fixtures/register.js";
