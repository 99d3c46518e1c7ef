// Validates the IANA names of time zones, in any case, and translates them for PostgreSQL.

/** PostgreSQL reads these names as abbreviations with the same offset all year. */
const fullNames: Readonly<Record<string, string>> = {
  cet: 'Europe/Brussels',
  eet: 'Europe/Athens',
  met: 'Europe/Brussels',
  wet: 'Europe/Lisbon',
}

/** All IANA names of three letters. Intl may accept others, such as IST, which PostgreSQL interprets differently. */
const threeLetterNames = [...Object.keys(fullNames), 'est', 'gmt', 'hst', 'mst', 'prc', 'roc', 'rok', 'uct', 'utc']

export function isZoneName(name: string): boolean {
  if (!/^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i.test(name)) return false
  if (/^[a-z]{3}$/i.test(name) && !threeLetterNames.includes(name.toLowerCase())) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function zoneForDatabase(name: string): string {
  return fullNames[name.toLowerCase()] ?? name
}
