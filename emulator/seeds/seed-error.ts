/** An invalid seed. The message lists the first mistakes with their locations. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

const maxListedMistakes = 20;

/** Collects the mistakes in a seed. */
export class SeedMistakes {
  readonly #lines: string[] = [];
  #count = 0;

  /**
   * @param source what messages call the seed
   * @param locate returns the position of a JSON pointer in the text of the seed, such as `seed.yaml:7:5`
   */
  constructor(
    private readonly source: string,
    private readonly locate: (pointer: string) => string = () => "",
  ) {}

  /** @param describe formats a detail that is expensive to compute; called only for a mistake that is listed */
  add(pointer: string, describe: string | (() => string)): void {
    this.#count += 1;
    if (this.#count > maxListedMistakes) return;
    const detail = typeof describe === "string" ? describe : describe();
    this.#lines.push(`  ${`${this.locate(pointer)} ${formatPointer(pointer)}`.trim()}: ${detail}`);
  }

  /** @throws SeedError with every mistake so far, if there are any */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const count = this.#count === 1 ? "a mistake" : `${this.#count} mistakes`;
    const more = this.#count > maxListedMistakes ? [`  and ${this.#count - maxListedMistakes} more`] : [];
    throw new SeedError([`${this.source} has ${count}:`, ...this.#lines, ...more].join("\n"));
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
