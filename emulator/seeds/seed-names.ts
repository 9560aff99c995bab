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

/** Elements of a seed by their names. An element's first name takes precedence over the second name of another element. */
class NameIndex<Element> {
  readonly elements: Element[] = [];
  /** The elements by their first names, by their second names, and so on. */
  readonly #ranks: Map<string, Element[]>[] = [];

  constructor(
    readonly kind: Kind,
    /** The kind of name that a message recommends for an ambiguous one. */
    readonly unambiguous: string,
    private readonly getNames: (element: Element) => readonly string[],
  ) {}

  add(element: Element): void {
    this.elements.push(element);
    this.getNames(element).forEach((name, rank) => {
      const byName = (this.#ranks[rank] ??= new Map<string, Element[]>());
      const named = byName.get(name);
      if (named === undefined) byName.set(name, [element]);
      else named.push(element);
    });
  }

  find(name: string): readonly Element[] {
    return this.#ranks.map((byName) => byName.get(name)).find((named) => named !== undefined) ?? [];
  }

  /** Describes the names that exist, for a message about one that does not. */
  describe(missing: string): string {
    const nearest = findNearest(missing, this.elements.flatMap(this.getNames));
    if (nearest !== undefined) return `did you mean ${JSON.stringify(nearest)}?`;
    const known = this.elements.slice(0, 10).map((element) => this.getNames(element).at(-1));
    return known.length > 0
      ? `the ${this.kind}s are ${known.join(", ")}`
      : `the seed file has no ${this.kind}s`;
  }
}

/** Resolves the names in a seed, and generates unique ids. Ids take precedence over email addresses and names. */
export class SeedNames {
  readonly users = new NameIndex<NamedUser>("user", "id or email address", ({ id, email }) => [
    id,
    email,
    getEmailLocalPart(email),
  ]);
  readonly organizations = new NameIndex<NamedOrganization>(
    "organization",
    "id",
    ({ id, isPersonal, name }) => (isPersonal || name === undefined ? [id] : [id, name]),
  );
  /** The last number appended to each preferred id. */
  readonly #numbers = new Map<string, number>();
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
    const series = `${kind} ${parent} ${preferred}`;
    let number = this.#numbers.get(series) ?? 1;
    let id = number === 1 ? preferred : `${preferred}_${number}`;
    while (ids.has(id)) id = `${preferred}_${(number += 1)}`;
    this.#numbers.set(series, number);
    ids.add(id);
    return id;
  }

  user(name: string, pointer: string): NamedUser | undefined {
    return this.#find(this.users, name, pointer);
  }

  /** Returns the id of an element's organization, by default the first one that is not personal. */
  organizationId({ pointer, organization }: Placed<{ readonly organization?: string }>): string {
    if (organization === undefined) {
      const first =
        this.organizations.elements.find(({ isPersonal }) => !isPersonal) ?? this.organizations.elements[0];
      if (first === undefined)
        this.mistakes.add(pointer, "has no organization: add an organization or a user");
      return first?.id ?? "";
    }
    return this.#find(this.organizations, organization, `${pointer}/organization`)?.id ?? "";
  }

  #find<Element>(index: NameIndex<Element>, name: string, pointer: string): Element | undefined {
    const found = index.find(name);
    if (found.length === 1) return found[0];
    const quoted = JSON.stringify(name);
    this.mistakes.add(pointer, () =>
      found.length > 1
        ? `${found.length} ${index.kind}s are named ${quoted}; use the ${index.unambiguous} instead`
        : `there is no ${index.kind} ${quoted}; ${index.describe(name)}`,
    );
    return undefined;
  }
}
