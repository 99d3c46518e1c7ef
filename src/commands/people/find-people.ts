// Finds the users that the arguments of workgate people merge name.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import { UsageError } from '../command-context.ts'
import findPeopleSql from '../../../sql/people/find-people.sql'

export interface Person {
  id: string
  name: string
  email: string | null
}

const find = query<Person & { at: number }>(findPeopleSql)

/** By id, address or name. Each person once. */
export async function findPeople(db: Database, texts: readonly string[]): Promise<Person[]> {
  const found = await find(db, { texts })
  const people = texts.map((text, n) => {
    const [person, ...others] = found.filter(({ at }) => at === n)
    if (!person)
      throw new UsageError(
        `no user has the id, e-mail address or name "${escapeText(text)}": "workgate people" lists them`,
      )
    if (others.length > 0) throw ambiguous(text, [person, ...others])
    return person
  })
  const [keep, ...others] = people
  if (others.some(({ id }) => id === keep!.id))
    throw new UsageError(`KEEP and OTHER are the same user: ${describePerson(keep!)}`)
  return [...new Map(people.map((person) => [person.id, person])).values()]
}

function ambiguous(text: string, candidates: readonly Person[]): UsageError {
  const lines = candidates.map((one) => `  ${one.id}  ${describePerson(one)}`)
  return new UsageError(`several users have the name "${escapeText(text)}": name one by its id\n${lines.join('\n')}`)
}

export const describePerson = ({ name, email }: Person) => escapeText(email === null ? name : `${name} <${email}>`)
