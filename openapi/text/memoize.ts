/**
 * Returns a function that creates the value of each key only once.
 *
 * @param known where values are kept; with a WeakMap, they are collected together with their keys
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
