// Spreadsheets with headings and words of their own: usual ones are known, and --column and --value say the others.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sheetColumns } from '../../src/import/sheet-columns.ts'
import { readMoment } from '../../src/import/times.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { createImporter } from './importing.ts'

const { workgate, get, sql } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const tasksOf = async (project: string) => (await get(`/projects/${project}/tasks?sort=number&limit=100`)).body.data
const stagesOf = async (project: string) => (await get(`/projects/${project}/stages`)).body.data

const german = [
  'Nr.;Aufgabe;Zuständig;Status;Priorität;Fällig am;Aufwand (Std.);Schlagworte;Erstellt am;Erledigt am;Kostenstelle',
  '1;Startseite entwerfen;Anna Schäfer;Erledigt;Hoch;05.03.2026;12,5;Design;01.02.2026;20.02.2026;4711',
  '2;Texte schreiben;Jörg Weiß;In Arbeit;Mittel;14. Okt. 2026;3;Texte;02.02.2026;;4711',
  '3;Server bestellen;;Offen;Dringend;;;;02.02.2026;;',
  '4;Altes Logo;;Storniert;;;;;02.02.2026;;',
].join('\r\n')

test('A sheet with German headings and words needs no option', async () => {
  const { error, output } = await importText('Plan.csv', Buffer.from(german, 'latin1'), '--project', 'DE')
  assert.equal(error, undefined)
  assert.deepEqual(
    (await tasksOf('DE')).map((task: Record<string, unknown>) => [
      task['number'], task['title'], task['state'], task['priority'], task['dueDate'], task['estimateSeconds'], task['completedAt'],
    ]), // prettier-ignore
    [
      [1, 'Startseite entwerfen', 'completed', 'high', '2026-03-05', 45_000, '2026-02-20T00:00:00.000Z'],
      [2, 'Texte schreiben', 'open', 'medium', '2026-10-14', 10_800, null],
      [3, 'Server bestellen', 'open', 'urgent', null, null, null],
      [4, 'Altes Logo', 'cancelled', 'none', null, null, (await tasksOf('DE'))[3].completedAt],
    ],
  )
  const stages = (await stagesOf('DE')).map(({ name, category }: Record<string, string>) => `${name}: ${category}`)
  assert.deepEqual(stages, ['Offen: backlog', 'In Arbeit: active', 'Erledigt: done', 'Storniert: done'])
  assert.match(output, /^ {2}Aufgabe = title$/m)
  assert.match(output, /^ {2}Aufwand \(Std\.\) = estimateSeconds \(times 3600\)$/m)
  assert.match(output, /^Columns that were not imported .*:\n {2}Kostenstelle$/m)
})

test('--column and --value say what other headings and words mean, and count before a format is recognized', async () => {
  const file = 'Summary,Issue key,Status,Wichtigkeit,Bereich\nPlan,A-1,Abgenommen,A,WEB\nBuild,A-2,Beim Kunden,B,WEB\n'
  const columns = ['Summary=title', 'Issue key=externalId', 'Status=stage', 'Wichtigkeit=priority', 'Bereich=project']
  const values = [
    'Status:Abgenommen=Completed',
    'Status:beim kunden=active',
    'Wichtigkeit:A=urgent',
    'Wichtigkeit:B=low',
    'Bereich:WEB=OWN',
  ]
  const args = [...columns.flatMap((one) => ['--column', one]), ...values.flatMap((one) => ['--value', one])]
  const { error, output } = await importText('a.csv', file, ...args)
  assert.equal(error, undefined)
  assert.match(output, /^Format: Spreadsheet of tasks \(\.xlsx, CSV\)$/m)
  const tasks = await tasksOf('OWN')
  assert.deepEqual(
    tasks.map((task: Record<string, unknown>) => [task['externalId'], task['state'], task['priority']]),
    [
      ['A-1', 'completed', 'urgent'],
      ['A-2', 'open', 'low'],
    ],
  )
  const stages = (await stagesOf('OWN')).map(({ name, category }: Record<string, string>) => `${name}: ${category}`)
  assert.deepEqual(stages, ['Beim Kunden: active', 'Abgenommen: done'])
})

test('--value says what a status of another tool means', async () => {
  const file = 'Summary,Issue key,Status\nPlan,VAL-1,Abgenommen\nBuild,VAL-2,Done\n'
  const { error } = await importText(
    'jira.csv',
    file,
    '--value',
    'Status:Abgenommen=cancelled',
    '--value',
    'Status:Done=Live',
  )
  assert.equal(error, undefined)
  const stages = (await stagesOf('VAL')).map(({ name, category }: Record<string, string>) => `${name}: ${category}`)
  assert.deepEqual(stages, ['Abgenommen: done', 'Live: done'])
  assert.deepEqual((await tasksOf('VAL')).map((task: Record<string, string>) => task['state']), ['cancelled', 'completed']) // prettier-ignore
})

// prettier-ignore
const refused: [claim: string, file: string, args: string[], error: RegExp][] = [
  ['columns that say nothing',           'Wer,Fällig,Wozu\na,b,c',            [], /^a\.csv is CSV of no known format\. .*\n {2}--column "Wer=" --column "Fällig=dueDate" --column "Wozu="\nFields: externalId, /],
  ['hours by task',                      'Date,Task,Hours\n2026-01-01,Plan,2', [], /^a\.csv is CSV of no known format\./],
  ['a word that is no priority',         'Aufgabe,Prio\na,Rosa',              [], /line 2, Prio "Rosa": must be one of none, .*: say which one it means, such as --value "Prio:Rosa=none"$/m],
  ['a word that is no state',            'title,state\na,Rosa',               [], /line 2, state "Rosa": must be one of open, completed, cancelled: say which one it means/],
  ['a number twice, by its heading',     'Nr,Titel\n1,a\n1,b',                [], /line 3, Nr "1": is also that of an earlier row/],
  ['--value without a column',           'title\na',                          ['--value', 'completed'], /^--value must be NAME:TEXT=VALUE/],
  ['--value of a column that is not there', 'title\na',                       ['--value', 'Status:a=b'], /^a\.csv is without a column "status", which --column or --value names$/],
  ['a stage in a file of a tool',        'Summary,Issue key,Status,X\nPlan,A-1,Done,Y', ['--column', 'X=stage'], /^a\.csv is not a sheet of tasks: only there, --column can name the stage$/],
]

describe('refused:', () => {
  for (const [claim, file, args, error] of refused)
    test(claim, async () => {
      const result = await importText('a.csv', file, '--project', 'NO', '--dry-run', ...args)
      assert.match(result.error!, error)
    })
})

// prettier-ignore
const headings: [headings: string, fields: string][] = [
  ['Title,Status,Assigned to,Due date,Effort (h),Labels,Created,Closed',              'title,stage,assignee,dueDate,estimateSeconds:3600,tags,createdAt,completedAt'],
  ['Titre,Statut,Assigné à,Échéance,Temps estimé (heures),Étiquettes,Créé,Fermé',     'title,stage,assignee,dueDate,estimateSeconds:3600,tags,createdAt,completedAt'],
  ['Tarea,Estado,Asignado a,Fecha de vencimiento,Prioridad,Creado',                   'title,stage,assignee,dueDate,priority,createdAt'],
  ['Tarefa,Situação,Atribuído para,Data prevista,Prioridade,Descrição',               'title,stage,assignee,dueDate,priority,description'],
  ['Titolo,Stato,Assegnato a,Scadenza,Tempo stimato (min),Priorità',                  'title,stage,assignee,dueDate,estimateSeconds:60,priority'],
  ['Taak,Status,Toegewezen aan,Vervaldatum,Prioriteit,Aangemaakt op',                 'title,stage,assignee,dueDate,priority,createdAt'],
  ['Zadanie,Stan,Przypisany do,Termin oddania,Priorytet,Opis',                        'title,stage,assignee,dueDate,priority,description'],
  ['件名,状態,担当者,期限日,優先度,作成日,予定工数（時間）',                              'title,stage,assignee,dueDate,priority,createdAt,'],
  ['TITLE,Titel,Notizen,Beschreibung,Aufwand',                                        'title,,description,,'],
  ['Aufgabe,title,Ignored status,state',                                              ',title,,state'],
]

describe('the headings', () => {
  for (const [names, fields] of headings)
    test(`${names} mean ${fields}`, () => {
      const list = names.split(',')
      const { meanings } = sheetColumns(list, [], [], [], {})
      const byName = new Map(meanings.map((text) => /^(.*) = (\w+)(?: \(times (\d+)\))?$/.exec(text)!.slice(1) as [string, string, string?]).map(([name, field, factor]) => [name, factor ? `${field}:${factor}` : field])) // prettier-ignore
      assert.equal(list.map((name) => byName.get(name) ?? (/^(title|state)$/i.test(name) ? name.toLowerCase() : '')).join(','), fields) // prettier-ignore
    })
})

// prettier-ignore
const dates: [claim: string, file: string, args: string[], expected: (string | null)[] | RegExp][] = [
  ['a later row proves the order',       'title,dueDate\na,04/05/2026\nb,05/14/2026',  [], ['2026-04-05', '2026-05-14']],
  ['each column has its own order',      'title,dueDate,startDate\na,04/05/2026,04/05/2026\nb,05/14/2026,13/02/2026',  [], ['2026-04-05', '2026-05-14']],
  ['nothing proves the order',           'title,dueDate\na,04/05/2026\nb,05/05/2026',  [], /line 2, dueDate "04\/05\/2026": may be two dates: use --dates dmy or --dates mdy/],
  ['another column proves nothing',      'title,dueDate,startDate\na,04/05/2026,13/02/2026',  [], /line 2, dueDate .* may be two dates/],
  ['--dates says it',                    'title,dueDate\na,04/05/2026',                ['--dates', 'dmy'], ['2026-05-04']],
  ['--dates mdy contradicts the file',   'title,dueDate\na,04/05/2026\nb,24/05/2026',  ['--dates', 'mdy'], /line 3, dueDate "24\/05\/2026": must have the month first, as the others in this column or --dates say/],
  ['--dates dmy contradicts the file',   'title,dueDate\na,04/05/2026\nb,05/14/2026',  ['--dates', 'dmy'], /line 3, dueDate "05\/14\/2026": must have the day first/],
  ['both orders in a column',            'title,dueDate\na,24/05/2026\nb,05/14/2026\nc,04/05/2026', [], /line 4, dueDate .* may be two dates/],
]

describe('days and months:', () => {
  for (const [claim, file, args, expected] of dates)
    test(claim, async () => {
      await sql`delete from workgate.projects where key = 'DATES'`
      const { error } = await importText('a.csv', file, '--project', 'DATES', ...args)
      if (expected instanceof RegExp) return assert.match(error!, expected)
      assert.equal(error, undefined)
      assert.deepEqual((await tasksOf('DATES')).map((task: Record<string, string>) => task['dueDate']), expected) // prettier-ignore
    })
})

// Jira writes the months of the profile of whoever exports.
// prettier-ignore
const months: [text: string, moment: string][] = [
  ['31/Okt./26 3:04 PM',    '2026-10-31T15:04:00'],
  ['31/Okt/26 15:04',       '2026-10-31T15:04:00'],
  ['05/Mrz/26',             '2026-03-05T00:00:00'],
  ['05/März/26',            '2026-03-05T00:00:00'],
  ['31/déc./26 3:04 PM',    '2026-12-31T15:04:00'],
  ['01/août/26',            '2026-08-01T00:00:00'],
  ['01/ene/26 3:04 p. m.',  '2026-01-01T15:04:00'],
  ['01/sept./26',           '2026-09-01T00:00:00'],
  ['01/out./26',            '2026-10-01T00:00:00'],
  ['01/gen/26',             '2026-01-01T00:00:00'],
  ['01/mrt./26',            '2026-03-01T00:00:00'],
  ['01/paź/26',             '2026-10-01T00:00:00'],
  ['01/10月/26 3:04 午後',   '2026-10-01T15:04:00'],
  ['01/окт./26',            '2026-10-01T00:00:00'],
  ['Mi., 14. Oktober 2026', '2026-10-14T00:00:00'],
]

test('The months of other languages are known', () => {
  for (const [text, moment] of months) assert.equal(readMoment(text, undefined), moment, text)
  assert.equal(readMoment('01/Foo/26', undefined), undefined)
})

test('A note says how many times were taken as UTC', async () => {
  const file = 'title,createdAt,completedAt\na,2026-01-01 10:00,2026-01-02 10:00\nb,2026-01-01T10:00:00Z,\n'
  const { output } = await importText('a.csv', file, '--project', 'UTC', '--dry-run')
  assert.match(output, /^ {2}times have no UTC offset and were taken as UTC \(see --timezone\): 2$/m)
  const zoned = await importText('a.csv', file, '--project', 'UTC', '--dry-run', '--timezone', 'Europe/Berlin')
  assert.doesNotMatch(zoned.output, /taken as UTC/)
  // Its columns say that they are in UTC.
  const gitlab = await importText('a.csv', readFileSync('test/import/samples/gitlab-csv.csv'), '--project', 'UTC', '--dry-run') // prettier-ignore
  assert.match(gitlab.output, /^Format: GitLab issues/)
  assert.doesNotMatch(gitlab.output, /taken as UTC/)
})

test('options that are saved for a project are used by name, and later ones count', async () => {
  const file = 'Vorgang;Wer;Stand;Bis\nPlan;Ada Lovelace;Abgenommen;05/03/2026\nBuild;;Neu;01/03/2026\n'
  const options = ['--column', 'Vorgang=title', '--column', 'Wer=assignee', '--column', 'Stand=stage', '--column', 'Bis=dueDate', '--value', 'Stand:Abgenommen=completed', '--dates', 'dmy'] // prettier-ignore
  const saved = await importText('weekly.csv', file, '--project', 'KEPT', ...options, '--save', 'week sheet')
  assert.equal(saved.error, undefined)
  assert.match(saved.output, /^Next time: .* import \S+weekly\.csv --project KEPT --like 'week sheet'$/m)

  const again = await importText('weekly.csv', file, '--project', 'KEPT', '--like', 'week sheet')
  assert.equal(again.error, undefined)
  assert.deepEqual(again.counts['tasks'], { unchanged: 2 })

  const later = await importText('weekly.csv', file, '--project', 'kept', '--like', 'week sheet', '--dates', 'mdy', '--value', 'Stand:Abgenommen=cancelled', '--save', 'us') // prettier-ignore
  assert.equal(later.error, undefined)
  assert.deepEqual(
    (await tasksOf('KEPT')).map(({ state, dueDate }: Record<string, unknown>) => [state, dueDate]),
    [['cancelled', '2026-05-03'], ['open', '2026-01-03']], // prettier-ignore
  )
  const [row] = await sql`select options from workgate.import_mappings where name = 'us'`
  assert.deepEqual(row!['options'].slice(0, 2), ['--dates=mdy', '--column=Vorgang=title'])

  const unknown = await importText('weekly.csv', file, '--project', 'KEPT', '--like', 'month')
  assert.equal(unknown.error, '--like: KEPT has "us", "week sheet", not "month"; an import with --save NAME saves its options') // prettier-ignore
  const { error } = await importText('weekly.csv', file, '--like', 'us')
  assert.equal(error, '--like needs --project KEY: options are saved for a project')
  const dry = await importText('weekly.csv', file, '--project', 'KEPT', '--like', 'us', '--save', 'not', '--dry-run')
  assert.equal(dry.error, undefined)
  assert.equal((await sql`select from workgate.import_mappings where name = 'not'`).length, 0)
})
