// Errors about a value or a whole file that cannot be imported.

/** A value that cannot be read. `column` is the name of the column or property. */
export class InvalidValue extends Error {
  override name = 'InvalidValue'
  readonly column: string
  readonly value: string

  constructor(column: string, value: string, rule: string) {
    super(rule)
    this.column = column
    this.value = value
  }
}

/** A file that cannot be read at all. The message continues "FILE is". */
export class InvalidFile extends Error {
  override name = 'InvalidFile'
}
