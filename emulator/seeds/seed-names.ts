import { findNearest } from "../../openapi/text/find-nearest.js";
import { memoize } from "../../openapi/text/memoize.js";
import { getEmailLocalPart } from "./seed-defaults.js";
import type { SeedMistakes } from "./seed-error.js";

/** An object in a seed with the JSON pointer of its place. */
export type Placed<Part> = Part & { readonly pointer: string };

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

/** Resolves the names in a seed, and generates unique ids. Ids take precedence over email addresses and names. */
export class SeedNames {
  readonly users: NamedUser[] = [];
  readonly organizations: NamedOrganization[] = [];
  readonly #idsByScope = new Map<string, Set<string>>();
  readonly #getIds = memoize(() => new Set<string>(), this.#idsByScope);

  constructor(private readonly mistakes: SeedMistakes) {}

  /** All ids and API keys. */
  get ids(): string[] {
    return [...this.#idsByScope.values()].flatMap((ids) => [...ids]);
  }

  /**
   * Reserves the ids that the seed specifies, so that none of them is generated.
   *
   * @param parent the pointer of the element within which ids must be unique (default: the whole seed)
   */
  reserve(
    kind: Kind,
    elements: readonly Placed<{ readonly id?: string; readonly key?: string }>[],
    field: "id" | "key" = "id",
    parent = "",
  ): void {
    const ids = this.#getIds(`${kind} ${parent}`);
    for (const { pointer, [field]: id } of elements) {
      if (id === undefined) continue;
      if (ids.has(id))
        this.mistakes.add(
          `${pointer}/${field}`,
          `another ${kind} already uses ${id}; choose a different value`,
        );
      ids.add(id);
    }
  }

  /** Generates a unique id: the preferred one, with a number appended if it is taken. */
  generate(kind: Kind, preferred: string, parent = ""): string {
    const ids = this.#getIds(`${kind} ${parent}`);
    let id = preferred;
    for (let number = 2; ids.has(id); number += 1) id = `${preferred}_${number}`;
    ids.add(id);
    return id;
  }

  user(name: string, pointer: string): NamedUser | undefined {
    const getNames = ({ id, email }: NamedUser) => [id, email, getEmailLocalPart(email)];
    return this.#find("user", name, pointer, this.users, getNames, "id or email address");
  }

  /** Returns the id of an element's organization, by default the first one that is not personal. */
  organizationId({ pointer, organization }: Placed<{ readonly organization?: string }>): string {
    if (organization === undefined) {
      const first = this.organizations.find(({ isPersonal }) => !isPersonal) ?? this.organizations[0];
      if (first === undefined)
        this.mistakes.add(pointer, "has no organization: add an organization or a user");
      return first?.id ?? "";
    }
    const getNames = ({ id, isPersonal, name }: NamedOrganization) =>
      isPersonal || name === undefined ? [id] : [id, name];
    const place = `${pointer}/organization`;
    return this.#find("organization", organization, place, this.organizations, getNames, "id")?.id ?? "";
  }

  /**
   * @param getNames returns the names of an entry, in order of precedence
   * @param unambiguous the kind of name that a message recommends for an ambiguous one
   */
  #find<Entry>(
    kind: Kind,
    name: string,
    pointer: string,
    entries: readonly Entry[],
    getNames: (entry: Entry) => readonly string[],
    unambiguous: string,
  ): Entry | undefined {
    const found = [0, 1, 2]
      .map((rank) => entries.filter((entry) => getNames(entry)[rank] === name))
      .find(({ length }) => length > 0);
    if (found?.length === 1) return found[0];
    const quoted = JSON.stringify(name);
    if (found !== undefined) {
      const detail = `${found.length} ${kind}s are named ${quoted}; use the ${unambiguous} instead`;
      this.mistakes.add(pointer, detail);
      return undefined;
    }
    const nearest = findNearest(name, entries.flatMap(getNames));
    const known = entries.map((entry) => getNames(entry).at(-1)).slice(0, 10);
    const hint =
      nearest !== undefined
        ? `did you mean ${JSON.stringify(nearest)}?`
        : known.length > 0
          ? `the ${kind}s are ${known.join(", ")}`
          : `the seed file has no ${kind}s`;
    this.mistakes.add(pointer, `there is no ${kind} ${quoted}; ${hint}`);
    return undefined;
  }
}
