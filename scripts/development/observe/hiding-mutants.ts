/** Mutants whose own answers hide from a clean-up what there is to be removed, and how they do. */
export const hidingMutants: Readonly<Record<string, string>> = {
  "session/switch-does-nothing": "who logs in again to remove something works in another organization",
};

/** Mutants that go on showing what is gone, so that a clean-up has to say that it is still there, and how they do. */
export const hauntedMutants: Readonly<Record<string, string>> = {
  "isolation/list-of-everybodys-databases": "the list of databases has every one that it has ever had",
};
