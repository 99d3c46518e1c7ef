// Tools that companies also run on hosts of their own, where the same login may be another person.

/** The namespace of a tool's people, such as gitlab or gitlab@git.example.org. Without an address, its public host. */
export function toolAt(tool: string, address: string | undefined): string {
  const host = /^https?:\/\/([^/]+)\//.exec(address ?? '')?.[1]?.toLowerCase()
  // A colon ends the namespace.
  return host === undefined || host === `${tool}.com` ? tool : `${tool}@${host.replace(':', '_')}`
}
