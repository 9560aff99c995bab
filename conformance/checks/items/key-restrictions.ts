import { createHash } from "node:crypto";
import type { ApiResponse } from "../../client/client.js";
import { isClientError } from "../../client/is-client-error.js";
import type { ItemKey } from "../../models/item-key.js";
import type { ItemClient } from "../../steps/items/item-client.js";

/** What gateways and stores are known to refuse in keys, each with an example; everything else is plain. */
const unusualKeys: readonly { readonly pattern: RegExp; readonly example: string }[] = [
  { pattern: /[/\\?#%]/, example: "/a%2F%00\\?x=1#y/" },
  { pattern: /[ !"$&'()*+,:;<=>@[\]^_`{|}~]/, example: " ;p {}|^` \"'<>&*+,:=@[]~$!()_ " },
  { pattern: /\p{Cc}/u, example: "\t\n\u0001\u007f\u0085" },
  { pattern: /[^\0-\x9f\p{C}\p{Z}]/u, example: "\u00e9e\u0301\u6f22\u{1f600}" },
  // Invisible characters and those without a meaning.
  {
    pattern: /[^\P{C}\p{Cc}]|[^\P{Z} ]/u,
    example: "\u00a0\u00ad\u200b\ufeff\u202e\u2066\u2028\uffff\u{10ffff}\u3000",
  },
  // The specification does not limit the length of keys.
  { pattern: /^.{41}/su, example: "k".repeat(190) },
];

/**
 * The keys that a deployment accepts. The specification leaves open whether keys may contain any characters (gap
 * `key-characters`). Checks use a plain key instead of each key that may be refused.
 */
export class KeyRestrictions {
  /** @param refused patterns of the keys that may be refused */
  private constructor(readonly refused: readonly RegExp[]) {}

  /** Returns the known restrictions, or finds them out with a few unusual keys. */
  static async detect(items: ItemClient): Promise<KeyRestrictions> {
    const known = items.context.knownAnswers("key-characters");
    const refused = [];
    for (const { pattern, example } of known === "any" ? [] : unusualKeys)
      if (!(await acceptsKey(items, example))) refused.push(pattern);
    await items.deleteWrittenItems();
    return new KeyRestrictions(refused);
  }

  /** An accepted text with as many unusual characters as possible; not empty. */
  get unusualText(): string {
    const accepted = unusualKeys.map(({ example }) => example).filter((text) => this.accepts([text]));
    const text = Array.from(accepted.join("") || "s")
      .slice(0, 128)
      .join("");
    return this.accepts([text]) ? text : Array.from(text).slice(0, 40).join("");
  }

  /** Returns the key or part of a key that represents a text on this deployment; it is different for each text. */
  adapt<Text extends string | null>(text: Text): Text {
    if (text === null || this.accepts([text])) return text;
    // The underscore distinguishes these keys from those that are used unchanged.
    return `_${createHash("sha256").update(text).digest("hex").slice(0, 24)}` as Text;
  }

  /** Whether keys can be sent unchanged; their replacements would have a different order. */
  accepts(texts: readonly string[]): boolean {
    return !texts.some((text) => this.refused.some((pattern) => pattern.test(text)));
  }
}

/** Whether a key is accepted in bodies and paths; whether its item is found later is left to the checks. */
async function acceptsKey(items: ItemClient, text: string): Promise<boolean> {
  const how = { setUp: true, skipValidation: true, intent: "may-be-refused" } as const;
  const keys: readonly ItemKey[] = [
    { pk: items.partition(text), sk: null },
    { pk: items.partition(text), sk: text },
  ];
  for (const key of keys) {
    const isPut = !isClientError(await items.put(key, { odd: true }, {}, how));
    if (!isPut || isRefusedByGateway(await items.get(key, how))) return false;
  }
  return true;
}

/** Whether a gateway refused a request; a missing item has a different problem. */
function isRefusedByGateway(response: ApiResponse): boolean {
  const { type, title, status } = (response.body ?? {}) as Readonly<Record<string, unknown>>;
  const isMissing = response.status === 404 && status === 404 && type !== undefined && title !== undefined;
  return isClientError(response) && !isMissing;
}
