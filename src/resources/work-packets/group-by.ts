// Groups items by a key.

export type Group<Item> = [Item, ...Item[]]

/** Returns the groups in the order in which their keys first occur. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, Group<Item>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}
