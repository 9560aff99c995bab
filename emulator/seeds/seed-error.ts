/** Something in a seed that cannot stay. */
export interface SeedMistake {
  /** JSON pointer to where it is. */
  readonly pointer: string;
  readonly detail: string;
}

const most = 20;

/** A seed that cannot be used; the message names every mistake with its place, as far as anybody reads. */
export class SeedError extends Error {
  /**
   * @param of what the seed is called in messages
   * @param placeOf where a pointer leads, such as `seed.yaml:7:5`
   */
  constructor(of: string, mistakes: readonly SeedMistake[], placeOf?: (pointer: string) => string) {
    const lines = mistakes.slice(0, most).map(({ pointer, detail }) => {
      const member = memberPath(pointer);
      return `  ${[placeOf?.(pointer), member].filter((part) => part !== undefined && part !== "").join(" ")}: ${detail}`;
    });
    const more = mistakes.length > most ? [`  and ${mistakes.length - most} more`] : [];
    const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
    super([`${of} has ${count}:`, ...lines, ...more].join("\n"));
    this.name = "SeedError";
  }
}

/** A JSON pointer as people write it: `databases[0].items[3].pk`. */
function memberPath(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`),
      "",
    );
}
