/** The field of that name, or `undefined` where the object has none; never anything inherited, as `toString`. */
export function getOwnField<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
