import type { Host } from './host.ts'

export async function demo(_: Host): Promise<void> {
  throw new Error('not yet')
}
