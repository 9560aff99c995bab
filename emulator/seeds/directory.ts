import { nearest } from "../domain/nearest.js";
import { localPart } from "./seed-defaults.js";
import type { SeedMistake } from "./seed-error.js";

interface NamedUser {
  readonly id: string;
  readonly email: string;
}

interface NamedOrganization {
  readonly id: string;
  readonly isPersonal: boolean;
  readonly name?: string;
}

/** Finds whom the names of a seed mean. An id comes before an address or a name; a name that two have means neither. */
export class Directory {
  users: readonly NamedUser[] = [];
  organizations: readonly NamedOrganization[] = [];
  readonly #mistakes: SeedMistake[];

  constructor(mistakes: SeedMistake[]) {
    this.#mistakes = mistakes;
  }

  user(name: string, pointer: string): NamedUser | undefined {
    const namesOf = ({ id, email }: NamedUser) => [id, email, localPart(email)];
    return this.#find("user", name, pointer, this.users, namesOf, "id or e-mail address");
  }

  organization(name: string, pointer: string): NamedOrganization | undefined {
    // a personal one goes by its id alone
    const namesOf = ({ id, isPersonal, name: called }: NamedOrganization) =>
      isPersonal || called === undefined ? [id] : [id, called];
    return this.#find("organization", name, pointer, this.organizations, namesOf, "id");
  }

  /** @param namesOf what an entry is called, the surest name first */
  #find<Entry>(
    what: string,
    name: string,
    pointer: string,
    entries: readonly Entry[],
    namesOf: (entry: Entry) => readonly string[],
    sure: string,
  ): Entry | undefined {
    for (let rank = 0; rank < 3; rank += 1) {
      const found = entries.filter((entry) => namesOf(entry)[rank] === name);
      if (found.length === 1) return found[0];
      if (found.length > 1) {
        const detail = `${found.length} ${what}s are called ${JSON.stringify(name)}; name one by ${sure}`;
        this.#mistakes.push({ pointer, detail });
        return undefined;
      }
    }
    const near = nearest(name, entries.flatMap(namesOf));
    const known = entries.map((entry) => namesOf(entry).at(-1)).slice(0, 10);
    const hint =
      near !== undefined
        ? `; did you mean ${JSON.stringify(near)}?`
        : known.length > 0
          ? `; there are ${known.join(", ")}`
          : `; the seed has no ${what}s`;
    this.#mistakes.push({ pointer, detail: `there is no ${what} ${JSON.stringify(name)}${hint}` });
    return undefined;
  }
}

/** The ids of one kind: those that are given, and those that are made of names. */
export class IdBook {
  readonly #taken = new Set<string>();
  readonly #mistakes: SeedMistake[];
  readonly #what: string;

  /** @param what what has the ids, for messages */
  constructor(mistakes: SeedMistake[], what: string) {
    this.#mistakes = mistakes;
    this.#what = what;
  }

  /** Notes an id that is given; nothing for none. */
  take(id: string | undefined, pointer: string): void {
    if (id === undefined) return;
    if (this.#taken.has(id))
      this.#mistakes.push({ pointer, detail: `another ${this.#what} has ${id} as well; choose another` });
    this.#taken.add(id);
  }

  /** An id that is free: the wanted one, or that with a number behind it. */
  make(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.#taken.has(id); number += 1) id = `${wanted}_${number}`;
    this.#taken.add(id);
    return id;
  }
}
