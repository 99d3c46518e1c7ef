/** In their order, as the database has it. */
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const
