/** Memory limits of an emulator, so that a client's infinite loop ends with an error. */
export const emulatorLimits = {
  /** Default maximum number of namespaces, including the default one. */
  namespaces: 1000,
  snapshotsPerNamespace: 1000,
  /** Default maximum size of all namespaces and snapshots, if the machine has at least twice as much memory. */
  memoryBytes: 2 * 1024 * 1024 * 1024,
  /** Maximum size of all journals together. */
  journalBytes: 256 * 1024 * 1024,
  /** Maximum size of a state that is compared, which takes about 5 µs for each item, entity or row. */
  comparedBytes: 8 * 1024 * 1024,
  /** Maximum number of values in the SQL rows of a state that is compared, at about 3 µs each. */
  comparedRowValues: 500_000,
  /** Maximum size of a state file. */
  stateBytes: 1024 * 1024 * 1024,
  /** The state of a namespace stays this much smaller than a state file, so that every saved state can be loaded. */
  spareStateBytes: 16 * 1024 * 1024,
  /** Maximum size of an uploaded file. */
  uploadBytes: 512 * 1024 * 1024,
  /** Maximum size of all bodies that are being received, except small ones. */
  receivedBytes: 768 * 1024 * 1024,
  /** Maximum size of all responses that clients have not read. Beyond it, the connections with the oldest are closed. */
  unreadBytes: 512 * 1024 * 1024,
  /** Maximum number of characters of the responses stored for `clientRequestToken`s in a namespace. */
  tokenAnswers: 64 * 1024 * 1024,
  /** Maximum number of characters of one such response. */
  tokenAnswer: 16 * 1024 * 1024,
  /** Maximum size of a body of a request without a credential, such as a login or a refresh. */
  publicBodyBytes: 64 * 1024,
  /** Approximate memory of the parsed, planned and prepared SQL statements of all namespaces. */
  statementBytes: 64 * 1024 * 1024,
  /** Approximate memory of the repository schemas and patterns that all namespaces use. */
  schemaBytes: 64 * 1024 * 1024,
  /** Number of profiles whose documents and validators are cached, about a megabyte each. */
  profiles: 24,
} as const;
