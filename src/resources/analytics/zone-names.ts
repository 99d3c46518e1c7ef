// Names of time zones: IANA's, in any case, as Intl knows them, and as PostgreSQL has to be given them.

/** To PostgreSQL these are abbreviations first, of an offset that is the same all year. */
const inFull: Readonly<Record<string, string>> = {
  cet: 'Europe/Brussels',
  eet: 'Europe/Athens',
  met: 'Europe/Brussels',
  wet: 'Europe/Lisbon',
}

/** All of IANA's with three letters. Intl may take others: IST, of which PostgreSQL thinks another one. */
const ofThreeLetters = [...Object.keys(inFull), 'est', 'gmt', 'hst', 'mst', 'prc', 'roc', 'rok', 'uct', 'utc']

export function isZoneName(name: string): boolean {
  if (!/^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i.test(name)) return false
  if (/^[a-z]{3}$/i.test(name) && !ofThreeLetters.includes(name.toLowerCase())) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function zoneForDatabase(name: string): string {
  return inFull[name.toLowerCase()] ?? name
}
