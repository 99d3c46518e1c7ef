// The own fields of a task, each with a link to the tasks of the project that have the same value.

import type { WorkPacket } from '../api/types.ts'
import { ExternalLink, isWebAddress } from '../parts/external-link.ts'
import { compareNames } from '../text/format.ts'
import { fieldTitle, valueWords } from '../text/own-fields.ts'
import { Fact } from './fact.tsx'

interface OwnFieldsProps {
  fields: WorkPacket['task']['fields']
  tasksLink(query: Record<string, string>): string
}

export function OwnFields({ fields, tasksLink }: OwnFieldsProps) {
  const named = Object.entries(fields).map(([name, value]) => ({ name, title: fieldTitle(name), value }))
  return (
    <>
      {named
        .sort((a, b) => compareNames(a.title, b.title))
        .map(({ name, title, value }) => (
          <Fact key={name} name={title}>
            {(Array.isArray(value) ? value : [value]).map((one, n) => (
              <span key={n}>
                {n > 0 && ', '}
                <Value value={one} listOf={(text) => tasksLink({ [`fields.${name}`]: text })} />
              </span>
            ))}
          </Fact>
        ))}
    </>
  )
}

/** The filter takes texts of up to 200 characters, and "none" means tasks without a value. */
const isFilter = (value: unknown) => typeof value !== 'string' || (value.length <= 200 && value !== 'none')

const longText = 300

function Value({ value, listOf }: { value: unknown; listOf(text: string): string }) {
  const words = valueWords(value)
  if (isWebAddress(words)) return <ExternalLink url={words}>{words}</ExternalLink>
  if (isFilter(value))
    return (
      <a href={listOf(String(value))}>
        <bdi>{words}</bdi>
      </a>
    )
  return words.length > longText ? (
    <div class="long-value" tabIndex={0}>
      {words}
    </div>
  ) : (
    <bdi>{words}</bdi>
  )
}
