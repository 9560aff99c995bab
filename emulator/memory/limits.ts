/** How much an emulator keeps, so that a runaway loop gets an error and not all memory. */
export const emulatorLimits = {
  /** Namespaces, the default one included, unless the options say otherwise. */
  namespaces: 1000,
  snapshotsPerNamespace: 1000,
  /** Bytes of all namespaces and snapshots together, unless the options say otherwise or the machine has less than twice that. */
  memoryBytes: 2 * 1024 * 1024 * 1024,
  /** Bytes of all journals together. */
  journalBytes: 256 * 1024 * 1024,
  /** Bytes of the state of a namespace, and of one that is read. */
  stateBytes: 1024 * 1024 * 1024,
  /** Bytes of a file that is uploaded. */
  uploadBytes: 512 * 1024 * 1024,
  /** Characters of the answers that are remembered for transactions with a `clientRequestToken`, in one namespace. */
  tokenAnswers: 64 * 1024 * 1024,
  /** Bytes of a body that needs no credential: a login or a refresh, which anybody may send. */
  publicBodyBytes: 64 * 1024,
  /** Profiles whose documents and validators are at hand, which take a megabyte each. */
  profiles: 24,
} as const;
