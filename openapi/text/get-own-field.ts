/** Returns an object's own field; `undefined` for inherited fields such as `toString`. */
export function getOwnField<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
