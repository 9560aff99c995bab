/** An invalid seed. The message lists the mistakes with their locations, up to a maximum length. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

const maxShown = 20;

/** Collects the mistakes in a seed, step by step. */
export class SeedMistakes {
  readonly #lines: string[] = [];

  /**
   * @param of what the seed is called in messages
   * @param placeOf where a pointer leads, such as `seed.yaml:7:5`
   */
  constructor(
    private readonly of: string,
    private readonly placeOf: (pointer: string) => string = () => "",
  ) {}

  add(pointer: string, detail: string): void {
    this.#lines.push(`  ${`${this.placeOf(pointer)} ${memberPath(pointer)}`.trim()}: ${detail}`);
  }

  /** Ends a step. @throws SeedError with every mistake so far, if there is any */
  refuse(): void {
    const { length } = this.#lines;
    if (length === 0) return;
    const count = length === 1 ? "a mistake" : `${length} mistakes`;
    const more = length > maxShown ? [`  and ${length - maxShown} more`] : [];
    throw new SeedError([`${this.of} has ${count}:`, ...this.#lines.slice(0, maxShown), ...more].join("\n"));
  }
}

/** Formats a JSON pointer for people: `databases[0].items[3].pk`. */
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
