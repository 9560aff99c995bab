import { createHash } from "node:crypto";
import type { ApiResponse } from "../../client/client.js";
import { isClientError } from "../../client/is-client-error.js";
import type { ItemKey } from "../../models/item-key.js";
import type { ItemClient } from "../../steps/items/item-client.js";

/** Matches keys that pass through every gateway; the specification does not limit the length of keys. */
const plainKey = /^[A-Za-z0-9.-]{0,40}$/;

/** A text with all characters that gateways and stores are known to refuse in keys, and a long text. */
const unusualKeys = [
  "a/b \\ %2F ?x=1#y ;p {}|^` \"'<>&*+,:=@[]~$! \t\n\u0001\u007f\u0085 \u00e9e\u0301\u200b\ufeff\uffff\u{1f600}\u{10ffff}\u00a0\u00ad\u202e\u2066\u3000 ",
  "k".repeat(190),
];

/**
 * The keys that a deployment accepts. The specification leaves open whether keys may contain any characters (gap
 * `key-characters`). If unusual keys are refused, checks use a plain key instead of each unusual key.
 */
export class KeyRestrictions {
  constructor(readonly acceptsAny: boolean) {}

  /** Returns the known restrictions, or finds them out with a few unusual keys. */
  static async detect(items: ItemClient): Promise<KeyRestrictions> {
    const known = items.context.knownAnswers("key-characters");
    return new KeyRestrictions(known === undefined ? await acceptsUnusualKeys(items) : known === "any");
  }

  /** Returns the key or part of a key that represents a text on this deployment; it is different for each text. */
  adapt<Text extends string | null>(text: Text): Text {
    if (text === null || this.accepts([text])) return text;
    // The underscore distinguishes these keys from those that are used unchanged.
    return `_${createHash("sha256").update(text).digest("hex").slice(0, 24)}` as Text;
  }

  /** Whether keys can be sent unchanged; their replacements would have a different order. */
  accepts(texts: readonly string[]): boolean {
    return this.acceptsAny || texts.every((text) => plainKey.test(text));
  }
}

/** Whether unusual keys are accepted in bodies and paths; whether accepted keys are found later is left to the checks. */
async function acceptsUnusualKeys(items: ItemClient): Promise<boolean> {
  const how = { setUp: true, skipValidation: true, intent: "invalid" } as const;
  const keys = unusualKeys.flatMap((text): ItemKey[] => [
    { pk: items.partition(text), sk: null },
    { pk: items.partition(), sk: text },
  ]);
  let acceptsAll = true;
  for (const key of keys) {
    const put = await items.put(key, { odd: true }, {}, how);
    acceptsAll &&= !isClientError(put) && !isRefusedByGateway(await items.get(key, how));
  }
  await items.deleteWrittenItems();
  return acceptsAll;
}

/** Whether a gateway refused a request; a missing item has a different problem. */
function isRefusedByGateway(response: ApiResponse): boolean {
  const { type, title, status } = (response.body ?? {}) as Readonly<Record<string, unknown>>;
  const isMissing = response.status === 404 && status === 404 && type !== undefined && title !== undefined;
  return isClientError(response) && !isMissing;
}
