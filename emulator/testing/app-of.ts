import { createApp } from "../app/create-app.js";
import type { Namespace } from "../namespaces/namespace.js";

/** The emulator's application for a namespace that a test has made by itself. */
export function getApp(namespace: Namespace) {
  const { profile } = namespace;
  const lookup = {
    get: () => namespace,
    getExisting: () => namespace,
    peek: () => namespace,
    list: () => [namespace],
    profile,
    allowHosts: [],
    onRequest: undefined,
  };
  return createApp(lookup, { hasConsole: false, isListening: () => false, middleware: [] });
}
