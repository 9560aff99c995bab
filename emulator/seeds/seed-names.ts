import { findNearest } from "../../openapi/text/find-nearest.js";
import { getEmailLocalPart } from "./seed-defaults.js";
import type { SeedMistakes } from "./seed-error.js";

interface NamedUser {
  readonly id: string;
  readonly email: string;
}

interface NamedOrganization {
  readonly id: string;
  readonly isPersonal: boolean;
  readonly name: string | undefined;
}

type Kind = "user" | "organization" | "API key" | "database" | "repository" | "entity of the repository";

/**
 * Whom the names of a seed mean, and which ids are taken. An id comes before an address or a name; a name that two have
 * means neither.
 */
export class SeedNames {
  readonly users: NamedUser[] = [];
  readonly organizations: NamedOrganization[] = [];
  readonly #taken = new Map<string, Set<string>>();

  /** @param mistakes takes what names nobody, and ids that two have */
  constructor(private readonly mistakes: SeedMistakes) {}

  /** All ids and keys. */
  get ids(): string[] {
    return [...this.#taken.values()].flatMap((ids) => [...ids]);
  }

  /**
   * Notes ids that are given, so that none of them is ever made.
   *
   * @param pointer where each stands, with `#` for its number
   * @param within what each is the only one in
   */
  take(
    kind: Kind,
    list: readonly { readonly id?: string | undefined }[],
    pointer: string,
    within = "",
  ): void {
    const taken = this.#takenOf(kind, within);
    for (const [index, { id }] of list.entries()) {
      if (id === undefined) continue;
      if (taken.has(id))
        this.mistakes.add(
          pointer.replace("#", String(index)),
          `another ${kind} already uses ${id}; choose a different value`,
        );
      taken.add(id);
    }
  }

  /** An id that is free: the wanted one, or that with a number behind it. @param within what it is the only one in */
  make(kind: Kind, wanted: string, within = ""): string {
    const taken = this.#takenOf(kind, within);
    let id = wanted;
    for (let number = 2; taken.has(id); number += 1) id = `${wanted}_${number}`;
    taken.add(id);
    return id;
  }

  user(name: string, pointer: string): NamedUser | undefined {
    const namesOf = ({ id, email }: NamedUser) => [id, email, getEmailLocalPart(email)];
    return this.#find("user", name, pointer, this.users, namesOf, "id or email address");
  }

  /** The id of the organization that something belongs to: without a name the first, personal ones last. */
  organizationId(name: string | undefined, pointer: string): string {
    if (name === undefined) {
      const first = this.organizations.find(({ isPersonal }) => !isPersonal) ?? this.organizations[0];
      if (first === undefined)
        this.mistakes.add(pointer, "has no organization: add an organization or a user");
      return first?.id ?? "";
    }
    // a personal one goes by its id alone
    const namesOf = ({ id, isPersonal, name: called }: NamedOrganization) =>
      isPersonal || called === undefined ? [id] : [id, called];
    const place = `${pointer}/organization`;
    return this.#find("organization", name, place, this.organizations, namesOf, "id")?.id ?? "";
  }

  #takenOf(kind: Kind, within: string): Set<string> {
    const key = `${kind} ${within}`;
    let taken = this.#taken.get(key);
    if (taken === undefined) this.#taken.set(key, (taken = new Set()));
    return taken;
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
        const detail = `${found.length} ${what}s are named ${JSON.stringify(name)}; use the ${sure} instead`;
        this.mistakes.add(pointer, detail);
        return undefined;
      }
    }
    const near = findNearest(name, entries.flatMap(namesOf));
    const known = entries.map((entry) => namesOf(entry).at(-1)).slice(0, 10);
    const hint =
      near !== undefined
        ? `; did you mean ${JSON.stringify(near)}?`
        : known.length > 0
          ? `; the ${what}s are ${known.join(", ")}`
          : `; the seed file has no ${what}s`;
    this.mistakes.add(pointer, `there is no ${what} ${JSON.stringify(name)}${hint}`);
    return undefined;
  }
}
