export const statusMeaning = (name: string) => ({
  category: name === 'Done' ? ('done' as const) : ('backlog' as const),
})
