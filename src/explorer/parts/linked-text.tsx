// Text that somebody has written, with its line breaks. The web addresses in it become links.

import { ExternalLink } from './external-link.tsx'

// Brackets belong to an address in pairs. The punctuation after it belongs to the sentence.
const address = /(https?:\/\/(?:\([^\s<>()]*\)|[^\s<>"“”()])*(?:\([^\s<>()]*\)|[^\s<>"“”().,;:!?'’\]}]))/i

export function LinkedText({ text }: { text: string }) {
  return (
    <div class="text" dir="auto">
      {text.split(address).map((part, n) => (n % 2 === 1 ? <ExternalLink url={part}>{part}</ExternalLink> : part))}
    </div>
  )
}
