// Creates the index of the search: an entry for each section of the guides and for each operation of the reference.

import type { Guide } from './guide-layout.ts'
import type { ApiDocument } from './openapi.ts'

export interface SearchEntry {
  /** The title of the guide, or "Reference". */
  page: string
  title: string
  /** Relative to /docs/. */
  url: string
  text: string
  /** Words for the subject that the text does not contain, in lower case and separated by commas. */
  synonyms?: string
}

/** Words that people type, by the URL of the entry that they look for. */
// prettier-ignore
export const synonyms: Record<string, string> = {
  'quick-start':                         'getting started, tutorial, examples, postman',
  'explorer':                            'dashboard, user interface, web interface, charts',
  'keys':                                'api key, token, login, oauth, sso, authentication, permissions, user account',
  'keys#sending-the-key':                'bearer, authorization header',
  'keys#rotation':                       'forgot key, lost key, forgot password, reset key',
  'keys#revocation':                     'delete key, leaked key',
  'changes':                             'sync, replicate, etl, mirror',
  'changes#load-a-warehouse':            'bigquery, snowflake, dbt',
  'changes#waiting-and-polling':         'webhook, webhooks, realtime, real time, websocket, push, notifications',
  'analytics#time':                      'hours, timesheet, time tracking',
  'analytics#forecast':                  'velocity, deadline, monte carlo',
  'own-fields':                          'custom fields, story points, sprint, properties',
  'idempotency':                         'update task, edit task',
  'pagination':                          'page size, next page, offset',
  '../docs#tag/documents/listDocuments': 'attachments',
  'clients':                             'sdk, swagger, typescript',
  'self-hosting':                        'install, uninstall, deploy',
  'self-hosting#systemd-service':        'systemd, systemctl, daemon, autostart',
  'container':                           'docker, podman, kubernetes, helm',
  'container#docker-compose':            'docker compose, docker-compose, compose.yaml',
  'configuration':                       'environment variables, options',
  'postgresql#on-a-server':              'database url, connection string',
  'network':                             'https, ssl, ssl certificate, reverse proxy, domain',
  'network#listening-address':           'port, change port, expose',
  'workers':                             'processes, cpu, cores',
  'scaling':                             'performance, scale out, high availability, capacity',
  'scaling#read-replicas':               'read replica, hot standby, streaming replication',
  'bring-your-data':                     'csv, import, migrate data',
  'bring-your-data#from-each-tool':      'jira, linear, trello, asana, redmine, azure devops, clickup, planner, youtrack',
  'spreadsheets':                        'excel, google sheets, xlsx',
  'bring-your-data#import-again':        'cron, nightly, schedule',
  'backup':                              'backup, dump, disaster recovery',
  'backup#upgrades':                     'upgrade, update version, new version',
  'monitoring':                          'health check, observability',
  'monitoring#prometheus-and-grafana':   'prometheus, grafana, scrape',
  'monitoring#alerts':                   'alertmanager, alert rules',
  'doctor':                              'troubleshooting, diagnose, debug',
  'errors#RATE_LIMITED':                 'too many requests, throttling',
}

interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  parameters?: readonly { name?: string; $ref?: string; description?: string }[]
}

export function createSearchIndex(guides: readonly Guide[], document: ApiDocument): SearchEntry[] {
  return [...guides.flatMap(sectionsOf), ...operationsOf(document)].map((entry) =>
    entry.url in synonyms ? { ...entry, synonyms: synonyms[entry.url]! } : entry,
  )
}

/** The first entry of a guide is its beginning, up to the first heading. Its slug may contain another word for its subject. */
function sectionsOf({ slug, title, summary, article }: Guide): SearchEntry[] {
  const parts = article.split(/(?=<h[23] id=)/)
  const sections = parts.filter((part) => part.startsWith('<h'))
  const start = parts.length > sections.length ? parts[0]! : ''
  const guide = { page: 'Guide', title, url: slug, text: `${summary} ${textOf(start)} ${slug}`.trim() }
  return [guide, ...sections.map((section) => ({ page: title, ...entryOf(slug, section) }))]
}

function entryOf(slug: string, section: string): Omit<SearchEntry, 'page'> {
  const [, id, heading, rest] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>([^]*)$/.exec(section)!
  return { title: textOf(heading!), url: `${slug}#${id}`, text: textOf(proseBeforeCode(rest!)) }
}

/** Moves code to the end, because excerpts with prose say more. */
function proseBeforeCode(html: string): string {
  const code = /<pre [^]*?<\/pre>/g
  return [html.replace(code, ' '), ...(html.match(code) ?? [])].join(' ')
}

function textOf(html: string): string {
  return html
    .replace(/<svg [^]*?<desc [^>]*>([^]*?)<\/desc>[^]*?<\/svg>/g, '$1')
    .replace(/<div class="languages"[^]*?<\/div>|<p class="language">.*?<\/p>/g, '')
    .replace(/<\/(p|li|td|th|tr|h\d|pre|div)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
}

const methods = ['get', 'post']

function operationsOf({ paths, components }: ApiDocument): SearchEntry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => {
        const { operationId, tags, summary, description = '', parameters = [] } = item[method] as Operation
        const names = parameters.map(({ name, $ref }) => name ?? components.parameters[$ref!.split('/').at(-1)!]!.name)
        const request = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
        return {
          page: 'Reference',
          title: summary,
          url: `../docs#tag/${tags[0]!.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
          text: `${request} ${operationId} ${plainText(description)} ${names.join(' ')}`.trim(),
        }
      }),
  )
}

/** Removes the links and marks of Markdown. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|^- /gm, '')
    .replace(/\s+/g, ' ')
}
