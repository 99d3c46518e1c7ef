// Tells from the name of a file what it is a copy of.

/** What browsers and file managers add to the name of a copy. "Sprint-1" may be a name of its own. */
const copySuffix = /(?:[ _]?\(\d+\)|[ _](?:- )?(?:copy|kopie)(?: \d+)?)$/i

/** Without "(1)" or "copy" at its end. */
export function originalName(name: string): string {
  const original = name.replace(copySuffix, '')
  if (original.trim() === '' || original === name) return name
  return originalName(original)
}
