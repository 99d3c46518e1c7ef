// Remembers the key until the tab is closed, if the user chose that.

const name = 'workgate-key'

/** The browser may forbid storage. The key then lasts until the page is reloaded. */
function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

export const storedKey = (): string | undefined => attempt(() => sessionStorage.getItem(name)) ?? undefined
export const storeKey = (key: string): void => attempt(() => sessionStorage.setItem(name, key))
export const forgetKey = (): void => attempt(() => sessionStorage.removeItem(name))
