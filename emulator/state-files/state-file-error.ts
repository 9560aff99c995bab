/** A file that is not a valid state of the emulator. The message says what is wrong, and what to do. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

export const writerVersionAdvice = "use the version of data-service-emulator that wrote it";
