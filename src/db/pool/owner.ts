// Names the owners of statements, which share the connections of a pool.

/** On whose behalf a statement runs: a verified key, a client's address, or the service itself. */
export type Owner = `key ${string}` | `address ${string}` | 'service'

export const ownerOfKey = (keyId: string): Owner => `key ${keyId}`
/** For requests without a verified key: anybody can claim any key's id. */
export const ownerOfAddress = (address: string): Owner => `address ${address}`
