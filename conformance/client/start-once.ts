/**
 * Returns the promise that was started for a key; starts it if there is none. A promise that rejects is forgotten, so that
 * the next call tries again.
 *
 * @param started the started promises by their keys
 */
export function startOnce<Key extends PropertyKey, Value>(
  started: NoInfer<Partial<Record<Key, Promise<Value> | undefined>>>,
  key: Key,
  start: () => Promise<Value>,
): Promise<Value> {
  const current = started[key];
  if (current !== undefined) return current;
  const fresh = start();
  started[key] = fresh;
  fresh.catch(() => {
    if (started[key] === fresh) started[key] = undefined;
  });
  return fresh;
}
