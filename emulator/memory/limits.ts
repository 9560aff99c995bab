/** Memory limits of an emulator, so that a runaway loop gets an error instead of all memory. */
export const emulatorLimits = {
  /** Default maximum number of namespaces, including the default one. */
  namespaces: 1000,
  snapshotsPerNamespace: 1000,
  /** Default maximum size of all namespaces and snapshots, if the machine has at least twice as much memory. */
  memoryBytes: 2 * 1024 * 1024 * 1024,
  /** Bytes of all journals together. */
  journalBytes: 256 * 1024 * 1024,
  /** Items, entities and rows that a snapshot may have to be compared, some 5 µs each. */
  comparedEntries: 50_000,
  /** Characters of the values that a comparison of snapshots shows. */
  comparedCharacters: 8 * 1024 * 1024,
  /** Maximum size of a state file. */
  stateBytes: 1024 * 1024 * 1024,
  /** By how many bytes the state of a namespace stays smaller, so that every saved state can be read again. */
  spareStateBytes: 16 * 1024 * 1024,
  /** Maximum size of an uploaded file. */
  uploadBytes: 512 * 1024 * 1024,
  /** Bytes of all bodies that are being received, except small ones. */
  receivedBytes: 768 * 1024 * 1024,
  /** Bytes of all responses that clients have not read; beyond, the connections with the oldest are ended. */
  unreadBytes: 512 * 1024 * 1024,
  /** Maximum number of characters of the responses stored for `clientRequestToken`s in a namespace. */
  tokenAnswers: 64 * 1024 * 1024,
  /** The same of one response: storing it takes as long as everything before. */
  tokenAnswer: 16 * 1024 * 1024,
  /** Maximum size of a body that needs no credential: a login or a refresh, which anyone may send. */
  publicBodyBytes: 64 * 1024,
  /** Approximate memory of the parsed, planned and prepared SQL statements of all namespaces. */
  statementBytes: 64 * 1024 * 1024,
  /** Approximate memory of the repository schemas and patterns that all namespaces use. */
  schemaBytes: 64 * 1024 * 1024,
  /** Number of profiles whose documents and validators are cached, about a megabyte each. */
  profiles: 24,
} as const;
