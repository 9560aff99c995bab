/** How much an emulator keeps, so that a runaway loop gets an error and not all memory. */
export const emulatorLimits = {
  /** Namespaces, the default one included, unless the options say otherwise. */
  namespaces: 1000,
  /** Snapshots of one namespace. */
  snapshotsPerNamespace: 1000,
  /** Bytes of the snapshots of all namespaces together. */
  snapshotBytes: 1024 * 1024 * 1024,
  /** Bytes of a state that is read, from a file or from memory. */
  stateBytes: 1024 * 1024 * 1024,
  /** Bytes of a file that is uploaded. */
  uploadBytes: 512 * 1024 * 1024,
} as const;
