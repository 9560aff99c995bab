import { createHash } from "node:crypto";
import type { ApiResponse } from "../../client/client.js";
import { isClientError } from "../../client/is-client-error.js";
import type { ItemKey } from "../../models/item-key.js";
import type { ItemClient } from "../../steps/items/item-calls.js";

/** Matches characters that pass through every gateway; the underscore replaces all other characters. */
const plainCharacter = /^[A-Za-z0-9.-]$/;
/** Maximum length of a plain key; the specification does not limit the length of keys. */
const maxPlainCharacters = 40;

/** A text with all characters that gateways and stores are known to refuse in keys, and a long text. */
const oddKeys = [
  "a/b \\ %2F ?x=1#y ;p {}|^` \"'<>&*+,:=@[]~$! \t\n\u0001\u007f\u0085 \u00e9e\u0301\u200b\ufeff\uffff\u{1f600}\u{10ffff}\u00a0\u00ad\u202e\u2066\u3000 ",
  "k".repeat(190),
];

/**
 * The keys that a deployment accepts. The specification leaves open whether keys may contain any characters (gap
 * `key-characters`). If unusual keys are refused, checks use plain keys instead, one for each unusual key.
 */
export class KeyRestrictions {
  /** @param takesAny whether every text is accepted as a key */
  constructor(readonly takesAny: boolean) {}

  /** Returns the known restrictions, or finds them out with a few unusual keys. */
  static async of(items: ItemClient): Promise<KeyRestrictions> {
    const known = items.context.known("key-characters");
    return new KeyRestrictions(known === undefined ? await takesOddKeys(items) : known === "any");
  }

  /** Returns the key or part of a key that represents a text on this deployment; it is different for each text. */
  of<Text extends string | null>(text: Text): Text {
    if (this.takesAny || text === null) return text;
    const plain = Array.from(text, (character) =>
      plainCharacter.test(character) ? character : `_${character.codePointAt(0)?.toString(36) ?? ""}_`,
    ).join("");
    if (plain.length <= maxPlainCharacters) return plain as Text;
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 24);
    return `${plain.slice(0, maxPlainCharacters - digest.length - 2)}__${digest}` as Text;
  }

  /** Whether keys can be sent unchanged; plain replacements would have a different order. */
  takes(texts: readonly string[]): boolean {
    return (
      this.takesAny ||
      texts.every(
        (text) =>
          text.length <= maxPlainCharacters &&
          Array.from(text).every((character) => plainCharacter.test(character)),
      )
    );
  }
}

/** Whether unusual keys are accepted in bodies and paths. Accepted keys that are not found later are a matter for the checks. */
async function takesOddKeys(items: ItemClient): Promise<boolean> {
  const how = { setUp: true, skipValidation: true, intent: "invalid" } as const;
  const keys = oddKeys.flatMap((odd): ItemKey[] => [
    { pk: items.partition(odd), sk: null },
    { pk: items.partition(), sk: odd },
  ]);
  let takesAll = true;
  for (const key of keys) {
    const put = await items.put(key, { odd: true }, {}, how);
    takesAll &&= !isClientError(put) && !isBarred(await items.get(key, how));
  }
  await items.tidy();
  return takesAll;
}

/** Whether a gateway refused a request; a missing item has a different problem. */
function isBarred(answer: ApiResponse): boolean {
  const { type, title, status } = (answer.body ?? {}) as Readonly<Record<string, unknown>>;
  const isMissing = answer.status === 404 && status === 404 && type !== undefined && title !== undefined;
  return isClientError(answer) && !isMissing;
}
