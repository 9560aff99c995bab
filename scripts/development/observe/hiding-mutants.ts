/** Mutants whose own answers hide from a clean-up what there is to be removed, and how they do. */
export const hidingMutants: Readonly<Record<string, string>> = {
  "session/switch-does-nothing": "who logs in again to remove something works in another organization",
};
