// Limits the size of a map: its oldest entry makes room for a new one.

/** Sets an entry and makes it the newest one. */
export function setNewest<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, maxEntries: number): void {
  entries.delete(key)
  if (entries.size >= maxEntries) entries.delete(entries.keys().next().value!)
  entries.set(key, value)
}
