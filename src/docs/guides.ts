// Lists the guides in the order of the sidebar, by audience, and renders their pages.

import { renderGuide, type Guide, type GuideGroup } from './guide-layout.ts'
import analytics from './guides/analytics.md'
import backup from './guides/backup.md'
import clients from './guides/clients.md'
import compatibility from './guides/compatibility.md'
import configuration from './guides/configuration.md'
import container from './guides/container.md'
import deno from './guides/deno.md'
import doctor from './guides/doctor.md'
import errors from './guides/errors.md'
import executable from './guides/executable.md'
import faults from './guides/faults.md'
import freshness from './guides/freshness.md'
import idempotency from './guides/idempotency.md'
import keys from './guides/keys.md'
import limits from './guides/limits.md'
import loadingData from './guides/loading-data.md'
import monitoring from './guides/monitoring.md'
import network from './guides/network.md'
import pagination from './guides/pagination.md'
import postgresql from './guides/postgresql.md'
import quickStart from './guides/quick-start.md'
import selfHosting from './guides/self-hosting.md'
import verification from './guides/verification.md'
import workers from './guides/workers.md'
import { headerStyle } from './header.ts'
import style from './style.css'

/** A guide is served at /docs/<slug>; its slug is the name of its file. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Use the API',
    guides: [
      { slug: 'quick-start', ...quickStart },
      { slug: 'keys', ...keys },
      { slug: 'pagination', ...pagination },
      { slug: 'freshness', ...freshness },
      { slug: 'idempotency', ...idempotency },
      { slug: 'verification', ...verification },
      { slug: 'analytics', ...analytics },
      { slug: 'errors', ...errors },
      { slug: 'limits', ...limits },
      { slug: 'clients', ...clients },
      { slug: 'compatibility', ...compatibility },
    ],
  },
  {
    title: 'Run the service',
    guides: [
      { slug: 'self-hosting', ...selfHosting },
      { slug: 'configuration', ...configuration },
      { slug: 'postgresql', ...postgresql },
      { slug: 'network', ...network },
      { slug: 'workers', ...workers },
      { slug: 'executable', ...executable },
      { slug: 'container', ...container },
      { slug: 'deno', ...deno },
      { slug: 'loading-data', ...loadingData },
      { slug: 'backup', ...backup },
      { slug: 'monitoring', ...monitoring },
      { slug: 'doctor', ...doctor },
      { slug: 'faults', ...faults },
    ],
  },
]

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides)

/** Renders the whole page. */
export const renderGuidePage = (guide: Guide): string => renderGuide(guide, guideGroups)

/** Served as /docs/style.css. */
export const guideStyle = headerStyle + style
