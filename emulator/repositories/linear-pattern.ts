import type * as re2js from "re2js";
import { chosenLimits } from "../../openapi/clauses/limits.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { translatePattern, type PatternMistake } from "./translate-pattern.js";

/**
 * A regular expression from a user. It is matched in time linear in the text, by an engine without backtracking;
 * it is not anchored, and `.` and lengths count code points.
 */
export class LinearPattern {
  readonly #engine: re2js.RE2JS;
  /** Instructions of the program: matching takes time in the order of size × length of the text. */
  readonly size: number;

  private constructor(
    readonly source: string,
    engine: re2js.RE2JS,
  ) {
    this.#engine = engine;
    this.size = engine.matcher("").programSize();
  }

  /** Compiles a pattern, or says why it is refused. */
  static compile(source: string): LinearPattern | PatternMistake {
    const { maximumSize, maximumLength } = chosenLimits.pattern;
    if (source.length > maximumLength)
      return { mistake: `has ${source.length} characters; ${maximumLength} are allowed` };
    const translated = translatePattern(source);
    if ("mistake" in translated) return refused(source, translated.mistake);
    // loaded with the first pattern, because it costs start-up time
    const { RE2JS, RE2JSSyntaxException } = lazyRequire("re2js") as typeof re2js;
    try {
      const pattern = new LinearPattern(source, RE2JS.compile(translated.re2));
      if (pattern.size <= maximumSize) return pattern;
      return refused(source, "it repeats too much; make its repetitions smaller");
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      const place = error.getPattern() ?? translated.re2;
      const shown = place === translated.re2 ? "" : `: ${shortened(place)}`;
      return refused(source, `${error.getDescription()}${shown}`);
    }
  }

  /** Whether the pattern matches somewhere in the text. */
  test(text: string): boolean {
    return this.#engine.test(text);
  }

  /** Ajv keeps patterns by this text: it must differ where the patterns do. */
  toString(): string {
    return `/${this.source}/`;
  }
}

function refused(source: string, reason: string): PatternMistake {
  return { mistake: `${JSON.stringify(shortened(source))} is no pattern that can be used: ${reason}` };
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
