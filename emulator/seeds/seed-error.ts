/** An invalid seed. The message lists the first mistakes with their locations. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

const maxListedMistakes = 20;

/** Collects the mistakes in a seed. */
export class SeedMistakes {
  readonly #lines: string[] = [];

  /**
   * @param source what messages call the seed
   * @param locate returns the position of a JSON pointer in the text of the seed, such as `seed.yaml:7:5`
   */
  constructor(
    private readonly source: string,
    private readonly locate: (pointer: string) => string = () => "",
  ) {}

  add(pointer: string, detail: string): void {
    this.#lines.push(`  ${`${this.locate(pointer)} ${formatPointer(pointer)}`.trim()}: ${detail}`);
  }

  /** @throws SeedError with every mistake so far, if there are any */
  throwIfAny(): void {
    const { length } = this.#lines;
    if (length === 0) return;
    const count = length === 1 ? "a mistake" : `${length} mistakes`;
    const more = length > maxListedMistakes ? [`  and ${length - maxListedMistakes} more`] : [];
    throw new SeedError(
      [`${this.source} has ${count}:`, ...this.#lines.slice(0, maxListedMistakes), ...more].join("\n"),
    );
  }
}

/** Formats a JSON pointer for people: `databases[0].items[3].pk`. */
function formatPointer(pointer: string): string {
  return pointer
    .replace(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".")
    .replace(/^\./, "")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
