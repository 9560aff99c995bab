import { nearest } from "../domain/nearest.js";
import type { WholeOrganization, WholeUser } from "./whole-seed.js";
import { localPart } from "./seed-defaults.js";
import type { SeedMistake } from "./seed-mistake.js";

/** Finds whom the names of a seed mean. An id comes before an address or a name; a name that two have means neither. */
export class Directory {
  readonly #users: readonly WholeUser[];
  readonly #mistakes: SeedMistake[];
  #organizations: readonly WholeOrganization[] = [];

  constructor(users: readonly WholeUser[], mistakes: SeedMistake[]) {
    this.#users = users;
    this.#mistakes = mistakes;
  }

  addOrganizations(organizations: readonly WholeOrganization[]): void {
    this.#organizations = organizations;
  }

  user(name: string, pointer: string): WholeUser | undefined {
    return this.#find("user", name, pointer, this.#users, userNames, "id or e-mail address");
  }

  /** @returns the id of an organization */
  organization(name: string, pointer: string): string {
    const found = this.#find("organization", name, pointer, this.#organizations, organizationNames, "id");
    return found?.organizationId ?? "";
  }

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

/** What users are called, the surest name first. */
export function userNames({ userId, email }: Pick<WholeUser, "userId" | "email">): readonly string[] {
  return [userId, email, localPart(email)];
}

/** What organizations are called; a personal one by its id alone. */
function organizationNames({
  organizationId,
  isPersonal,
  given: { name },
}: WholeOrganization): readonly string[] {
  return isPersonal || name === undefined ? [organizationId] : [organizationId, name];
}
