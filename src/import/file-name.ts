// Finds the name of the original from the name of a copied file.

/** The end of the name of a copy, as browsers and file managers write it. "Sprint-1" may be a name of its own. */
const copySuffix = /(?:[ _]?\(\d+\)|[ _](?:- )?(?:copy|kopie)(?: \d+)?)$/i

/** Without "(1)" or "copy" at its end. */
export function originalName(name: string): string {
  const original = name.replace(copySuffix, '')
  if (original.trim() === '' || original === name) return name
  return originalName(original)
}
