// Lists the guides in the order of the sidebar, by audience, and renders their pages.

import { guides as compiled } from 'workgate:guides'
import { renderGuide, type Guide, type GuideGroup } from './guide-layout.ts'
import headerStyle from './header.css'
import style from './style.css'
import tokens from './tokens.css'

/** The names of the files. A guide is served at /docs/<name>. */
const slugs = {
  'Use the API': [
    'quick-start',
    'explorer',
    'keys',
    'pagination',
    'changes',
    'freshness',
    'idempotency',
    'verification',
    'prove-work',
    'analytics',
    'own-fields',
    'errors',
    'limits',
    'clients',
    'compatibility',
  ],
  'Run the service': [
    'self-hosting',
    'configuration',
    'postgresql',
    'network',
    'workers',
    'scaling',
    'executable',
    'container',
    'deno',
    'bring-your-data',
    'spreadsheets',
    'loading-data',
    'backup',
    'monitoring',
    'doctor',
    'faults',
    'releases',
  ],
}

export const guideGroups: readonly GuideGroup[] = Object.entries(slugs).map(([title, names]) => ({
  title,
  guides: names.map((slug) => ({ slug, ...compiled[slug]! })),
}))

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides)

/** Renders the whole page. */
export const renderGuidePage = (guide: Guide): string => renderGuide(guide, guideGroups)

/** Served as /docs/style.css. */
export const guideStyle = tokens + headerStyle + style
