/** An entity as it was last seen. */
export interface KnownEntity {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number | undefined;
}

const collator = new Intl.Collator("en", { sensitivity: "base" });

/** Whether a deployment may treat two values as equal; the specification does not say how `=` treats case, space and types. */
export function mayBeEqual(one: unknown, other: unknown): boolean {
  const [a = "", b = ""] = [one, other].map((value) => String(value).trim());
  return Number(a) === Number(b) || Number(one) === Number(other) || collator.compare(a, b) === 0;
}
