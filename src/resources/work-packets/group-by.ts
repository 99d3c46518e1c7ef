export type Group<Item> = [Item, ...Item[]]

/** In the order in which their names come first. */
export function groupBy<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, Group<Item>>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return [...groups.values()]
}
