/** Returns the value of one field of each row or item. */
export const valuesOf = (rows: Iterable<any>, field: string): any[] => Array.from(rows, (row) => row[field])
