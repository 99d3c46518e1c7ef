// Names the owners of statements, which share the connections of a pool.

/** On whose behalf a statement runs: a verified key, a client's address, or the service itself. */
export type Owner = `key ${string}` | `address ${string}` | 'service'

export const ownerOfKey = (keyId: string): Owner => `key ${keyId}`
/** For requests without a verified key: anybody can claim any key's id. */
export const ownerOfAddress = (address: string): Owner => `address ${address}`

/**
 * While other keys are active, an owner may use another connection only while so many are free for each that it uses: one
 * key gets 2 of 10 connections. With half of them, its costly statements would occupy two processors so much that
 * the requests of others took 6 to 10 times as long, instead of 2 to 4 times (npm run bench -- --only fairness).
 */
export const minFreePerUsed = 4
