import type { CodeOptions } from "ajv";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { LinearPattern } from "./linear-pattern.js";

/** The text of one entity and the patterns of its schema are too much together. */
export class PatternLimitError extends Error {
  constructor(source: string) {
    super(
      `is too long to match against the pattern ${JSON.stringify(source)}; ` +
        "shorten the text, or reduce the repetitions in the pattern",
    );
  }
}

/** The patterns of a schema were checked; with the answer `whole`, they have become a little larger since. */
const noLimits = { maximumSize: Infinity, maximumLength: Infinity };

/** The regular expressions of one compiled schema: linear in time, and all matches of a validation within a bound. */
export class PatternEngine {
  #left = 0;

  /** To be called before each validation. */
  begin(): void {
    this.#left = emulatorDefinedLimits.pattern.work;
  }

  /** The function that Ajv uses instead of `new RegExp`. */
  forAjv(): NonNullable<CodeOptions["regExp"]> {
    const compile = (source: string) => {
      const pattern = LinearPattern.compile(source, noLimits);
      if ("mistake" in pattern) throw new Error(`an unchecked schema: ${pattern.mistake}`);
      return {
        test: (text: string): boolean => {
          this.#left -= pattern.size * text.length;
          if (this.#left < 0) throw new PatternLimitError(source);
          return pattern.test(text);
        },
        // Ajv gives patterns of the same text the same engine
        toString: () => pattern.toString(),
      };
    };
    return Object.assign(compile, { code: "linearPattern" });
  }
}
