// Runs in the browser when the search is first opened: loads the index, and lists the results as links.

import { createFind } from './find.js'

const dialog = document.querySelector('dialog.search')
const input = dialog.querySelector('input')
const list = dialog.querySelector('ol')
const status = dialog.querySelector('[role=status]')
let find

export async function loadIndex() {
  if (find) return
  try {
    const response = await fetch(new URL('search.json', import.meta.url))
    find = createFind(await response.json())
    showResults()
  } catch {
    // The next opening tries again.
    status.textContent = 'The search index cannot be loaded.'
  }
}

function showResults() {
  const { results, hasAll } = find(input.value)
  list.replaceChildren(...results.map(createItem))
  const isEmpty = input.value.trim() === ''
  const count = results.length === 1 ? '1 result' : `${results.length} results`
  const isPartial = results.length > 0 && !hasAll
  if (isEmpty) status.textContent = 'Type words, a path, a parameter or an error code.'
  else status.textContent = isPartial ? `${count} with some of the words; none has all` : count
}

function createItem({ page, title, url, excerpt }) {
  const link = document.createElement('a')
  link.href = new URL(url, import.meta.url).href
  link.append(createText('small', page), createText('strong', title), createExcerpt(excerpt))
  const item = document.createElement('li')
  item.append(link)
  return item
}

function createExcerpt(parts) {
  const excerpt = document.createElement('span')
  excerpt.append(...parts.map((part, n) => (n % 2 === 0 ? part : createText('mark', part))))
  return excerpt
}

const createText = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })

input.addEventListener('input', () => find && showResults())

// Links keep their own keys: Enter follows one, and the arrows move between them and the input.
dialog.addEventListener('keydown', (event) => {
  const stops = [input, ...list.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step) {
    event.preventDefault()
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus()
  } else if (event.key === 'Enter' && at === 0) {
    event.preventDefault()
    stops[1]?.click()
  } else if (at > 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
    input.focus()
  }
})

// A click on the backdrop, or on a result of this page, closes the dialog.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog || event.target.closest('a')) dialog.close()
})
