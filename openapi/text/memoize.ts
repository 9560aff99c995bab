/**
 * A function that makes the value of each key once.
 *
 * @param known a WeakMap, so that a value goes with the object that is its key
 */
export function memoize<Key, Value>(
  create: (key: Key) => Value,
  known: Pick<Map<Key, Value>, "get"> & { set(key: Key, value: Value): unknown } = new Map<Key, Value>(),
): (key: Key) => Value {
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = create(key)));
    return value;
  };
}
