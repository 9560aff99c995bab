/** A file that is no state of the emulator; the message says what is wrong with it and what to do. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}
