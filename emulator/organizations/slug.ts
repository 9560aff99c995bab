import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";

const { maximum } = emulatorDefinedLimits.slugLength;

/** Letters without a decomposition that contains a-z. */
const transliterations: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** Converts a name to a form for URLs; `organization` for a name without convertible letters or digits. */
export function toSlug(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => transliterations[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return truncateSlug(plain, maximum) || "organization";
}

/** Returns the slug, with the first suffix that makes it unique if necessary. */
export function findUnusedSlug(
  slug: string,
  isTaken: (slug: string) => boolean,
  nextSuffix: () => string,
): string {
  let candidate = slug;
  while (isTaken(candidate)) {
    const suffix = nextSuffix();
    candidate = `${truncateSlug(slug, maximum - suffix.length - 1)}-${suffix}`;
  }
  return candidate;
}

function truncateSlug(slug: string, length: number): string {
  return slug.replace(/^-+/, "").slice(0, length).replace(/-+$/, "");
}
