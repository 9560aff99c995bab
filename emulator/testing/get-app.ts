import { createApp } from "../app/create-app.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { Namespaces } from "../namespaces/namespaces.js";

/** Returns the emulator's application for a namespace that a test has created. */
export function getApp(namespace: Namespace) {
  const { profile } = namespace;
  const namespaces = {
    get: () => namespace,
    getExisting: () => namespace,
    options: { profile, allowHosts: [] },
  };
  const options = { hasConsole: false, isListening: () => false, middleware: [] };
  return createApp(namespaces as unknown as Namespaces, options);
}
