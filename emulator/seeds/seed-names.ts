import { findNearest } from "../../openapi/text/find-nearest.js";
import { memoize } from "../../openapi/text/memoize.js";
import { toSlug } from "../organizations/slug.js";
import type { SeedMistakes } from "./seed-error.js";

/** Ids of users or organizations by name. The first name of one takes precedence over the second name of another. */
class NameIndex {
  /** In the order of the seed. */
  readonly ids: string[] = [];
  readonly #idsByName = new Map<string, { readonly rank: number; readonly ids: string[] }>();
  readonly #shortNames: string[] = [];

  /** @param unambiguous the kind of name that a message recommends for an ambiguous one */
  constructor(
    private readonly mistakes: SeedMistakes,
    private readonly kind: string,
    private readonly unambiguous: string,
  ) {}

  /** @param otherNames the names after the id, which is the first name */
  add(id: string, ...otherNames: readonly string[]): void {
    this.ids.push(id);
    this.#shortNames.push(otherNames.at(-1) ?? id);
    [id, ...otherNames].forEach((name, rank) => {
      const known = this.#idsByName.get(name);
      if (known === undefined || rank < known.rank) this.#idsByName.set(name, { rank, ids: [id] });
      else if (rank === known.rank) known.ids.push(id);
    });
  }

  /** @returns undefined if there is a mistake, which is recorded */
  find(name: string, pointer: string): string | undefined {
    const { ids } = this.#idsByName.get(name) ?? { ids: [] };
    if (ids.length === 1) return ids[0];
    const quoted = JSON.stringify(name);
    this.mistakes.add(pointer, () =>
      ids.length > 1
        ? `${ids.length} ${this.kind}s are named ${quoted}; use the ${this.unambiguous} instead`
        : `there is no ${this.kind} ${quoted}; ${this.#suggest(name)}`,
    );
    return undefined;
  }

  #suggest(missing: string): string {
    const nearest = findNearest(missing, this.#idsByName.keys());
    if (nearest !== undefined) return `did you mean ${JSON.stringify(nearest)}?`;
    const known = this.#shortNames.slice(0, 10).join(", ");
    return known === "" ? `the seed file has no ${this.kind}s` : `the ${this.kind}s are ${known}`;
  }
}

type Kind = "user" | "organization" | "API key" | "database" | "repository" | "entity of the repository";

/** Resolves the names in a seed, and generates unique ids. */
export class SeedNames {
  readonly users: NameIndex;
  readonly organizations: NameIndex;
  /** The last number appended to each preferred id. */
  readonly #numbers = new Map<string, number>();
  readonly #idsByScope = new Map<string, Set<string>>();
  readonly #getIds = memoize(() => new Set<string>(), this.#idsByScope);

  constructor(private readonly mistakes: SeedMistakes) {
    this.users = new NameIndex(mistakes, "user", "id or email address");
    this.organizations = new NameIndex(mistakes, "organization", "id");
  }

  /** All ids and API keys. */
  get ids(): string[] {
    return [...this.#idsByScope.values()].flatMap((ids) => [...ids]);
  }

  /**
   * Reserves an id that the seed specifies, so that it is not generated.
   *
   * @param pointer the pointer of the id
   * @param parent the pointer of the element within which ids must be unique (default: the whole seed)
   */
  reserve(kind: Kind, id: string | undefined, pointer: string, parent = ""): void {
    if (id === undefined) return;
    const ids = this.#getIds(`${kind} ${parent}`);
    if (ids.has(id))
      this.mistakes.add(pointer, `another ${kind} already uses ${id}; choose a different value`);
    ids.add(id);
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
}

/** Converts a name to the suffix of a default id, with only the characters that ids may have. */
export function toIdSuffix(name: string): string {
  return toSlug(name).replaceAll("-", "_").slice(0, 64).replace(/_$/, "");
}
