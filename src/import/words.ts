// Usual words for fields and for what stages and priorities mean, in English, German, French, Spanish, Portuguese, Italian,
// Dutch, Polish and Japanese. They are those of Redmine's translations (config/locales), and of the status categories that
// Jira shows in these languages, with other forms of the same words.

import type { priorities, stageCategories, taskStates } from '../api/input/values.ts'

/** Lines of alternatives of a regular expression. Between its words, there is one space. */
const anyOf = (...lines: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${lines.join('|')})(?![\\p{L}\\p{N}])`, 'u')

export interface StatusMeaning {
  category: (typeof stageCategories)[number]
  state: (typeof taskStates)[number]
}

export const backlog: StatusMeaning = { category: 'backlog', state: 'open' }
export const active: StatusMeaning = { category: 'active', state: 'open' }
export const completed: StatusMeaning = { category: 'done', state: 'completed' }
export const cancelled: StatusMeaning = { category: 'done', state: 'cancelled' }

// The first pattern that matches decides, so "Not done" and "To be released" come before "Done" and "Released". Japanese has
// no spaces between words, so its words have any characters around them.
// prettier-ignore
export const statusWords: readonly (readonly [StatusMeaning, RegExp])[] = [
  [cancelled, anyOf(
    String.raw`cancel\p{L}*|won['’]?t(?: ?(?:do|fix))?|will not|duplicate\p{L}*|reject\p{L}*|removed|declined|abandon\p{L}*|obsolete|invalid|discarded|dropped|not (?:planned|needed|reproducible|a bug)|(?:cannot|can.?t|unable to) reproduce`,
    'abgelehnt|abgewiesen|abgebrochen|verworfen|storniert|duplikat|wird nicht (?:gemacht|erledigt|umgesetzt)|entfällt',
    'annulée?s?|rejetée?s?|abandonnée?s?|refusée?s?',
    'cancelad[ao]s?|rechazad[ao]s?|descartad[ao]s?|anulad[ao]s?',
    'rejeitad[ao]s?|recusad[ao]s?',
    'annullat[aeio]|rifiutat[aeio]|scartat[aeio]',
    'geannuleerd|afgewezen|vervallen',
    'anulowan[aey]|odrzucon[aey]|porzucon[aey]',
    '.*(?:却下|キャンセル|中止|取り?消し|対応不要|対応しない).*',
  )],
  [backlog, anyOf(
    'not|to ?do|backlog|open|reopened|new|triage|inbox|later|selected for|planned|ready for (?:dev(?:elopment)?|work|implementation|planning|refinement)|ready to start',
    'nicht|offen|neu|zu (?:erledigen|tun)|geplant',
    'non|pas|à faire|a faire|ouverte?s?|nouveau|nouvelle|planifiée?s?',
    'no|sin|por hacer|pendientes?|abiert[ao]s?|nuev[ao]s?|planificad[ao]s?',
    'não|a fazer|tarefas pendentes|abert[ao]s?|nov[ao]s?|planejad[ao]s?',
    'da (?:fare|completare)|apert[aeio]|nuov[aeio]|pianificat[aeio]',
    'niet|te doen|nieuwe?|gepland',
    'nie|do zrobienia|otwart[aey]|now[aey]|zaplanowan[aey]',
    '.*(?:未|新規|待办|やること|予定).*',
  )],
  [active, anyOf(
    'to be|ready (?:for|to)|in progress|doing|started|ongoing|underway|wip|active|working|implementing|in (?:dev|development|work|review)|review|reviewing|approval|qa|tests?|testing|verification|validation|feedback|blocked|(?:a)?waiting|pending',
    'in (?:arbeit|bearbeitung|prüfung)|begonnen|läuft|blockiert|wartend|wartet|aktiv',
    'en (?:cours|attente|revue)|commencée?s?|bloquée?s?|à valider',
    'en (?:curso|progreso|proceso|espera|revisión)|haciendo|iniciad[ao]s?|bloquead[ao]s?',
    'em (?:curso|andamento|progresso|revisão|espera)|fazendo',
    '(?:in|di) (?:corso|elaborazione|attesa|revisione|lavorazione)|iniziat[aeio]|bloccat[aeio]',
    'in uitvoering|bezig|mee bezig|wacht|geblokkeerd|wordt aan gewerkt',
    'w (?:toku|trakcie)|oczekuj\\p{L}+|zablokowan[aey]|rozpoczęt[aey]',
    '.*(?:進行中|対応中|処理中|作業中|レビュー|確認|テスト|フィードバック|保留).*',
  )],
  [completed, anyOf(
    'done|closed?|resolved|released|completed?|finished|fixed|solved|shipped|deployed|delivered|merged|published|verified|archived?|live|in production',
    'erledigt|geschlossen|fertig|abgeschlossen|behoben|gelöst',
    'fermée?s?|résolue?s?|terminée?s?|faite?s?|finie?s?|clôturée?s?',
    'cerrad[ao]s?|resuelt[ao]s?|terminad[ao]s?|hech[ao]s?|list[ao]s?|finalizad[ao]s?|completad[ao]s?',
    'fechad[ao]s?|resolvid[ao]s?|concluíd[ao]s?|feit[ao]s?',
    'chius[aeio]|risolt[aeio]|completat[aeio]|finit[aeio]|fatt[aeio]',
    'gesloten|opgelost|klaar|afgerond|gedaan|voltooid|gereed',
    'zamknięt[aey]|rozwiązan[aey]|zakończon[aey]|zrobion[aey]|gotow[aey]|ukończon[aey]',
    '.*(?:完了|終了|解決|処理済|対応済).*',
  )],
]

export type Priority = (typeof priorities)[number]

// prettier-ignore
export const priorityWords: readonly (readonly [Priority, RegExp])[] = [
  ['none', /^(?:-|none|no priority|not set|unset|keine|aucune|ninguna|nenhuma|nessuna|geen|brak|なし)$/],
  ['urgent', anyOf(
    'urgent|highest|critical|blocker|immediate|show[ -]?stopper|p0',
    'dringend|sofort|kritisch|höchste',
    'urgente|immédiate?|critique',
    'inmediat[ao]|crític[ao]|imediat[ao]|immediat[ao]|critic[ao]',
    'onmiddellijk|kritiek|piln[aey]|natychmiastow[aey]|krytyczn[aey]',
    '.*(?:緊急|至急|急いで|今すぐ|最高).*',
  )],
  ['high', anyOf('high|major|important|p1|hoch|haute?|élevée?|alt[ao]|hoog|hoge|wysoki[e]?|wysoka|高|高め')],
  ['medium', anyOf('medium|med|normal|moderate|p2|mittel|moyenne?|normale|medi[ao]|média|médio|normaal|gemiddeld|normaln[aey]|średni|średnia|中|通常')],
  ['low', anyOf('low|lowest|minor|trivial|p[34]|niedrig|gering|basse?|faible|baj[ao]|baix[ao]|bass[ao]|laag|lage|niski|niska|低|低め')],
]

/** The headings of columns, by the field of a task. A unit after them, as in "Effort (h)", is not a part of them. */
// prettier-ignore
const headings: Readonly<Record<string, string>> = {
  externalId: 'id, key, task id, issue id, schlüssel, kennung, identifiant, clave, chave, codice, sleutel, identyfikator',
  number: 'number, no, nr, #, nummer, numéro, número, numero, numer, 番号',
  title: `task, task name, summary, subject, to do, todo, titel, aufgabe, aufgaben, thema, betreff, vorgang, titre, tâche, sujet,
    título, tarea, asunto, tarefa, assunto, titolo, attività, compito, oggetto, taak, onderwerp, tytuł, zadanie, temat,
    タイトル, 題名, 件名, タスク, 課題`,
  description: `details, notes, beschreibung, notizen, notiz, bemerkung, bemerkungen, remarques, descripción, notas,
    descrição, descrizione, note, beschrijving, notities, opis, notatki, 説明, 詳細, 備考`,
  stage: 'status, column, list, section, stufe, spalte, statut, estado, situação, stato, stan, ステータス, 状態, 進捗',
  priority: 'prio, priorität, priorité, prioridad, prioridade, priorità, prioriteit, priorytet, 優先度',
  parent: `parent task, parent issue, übergeordnete aufgabe, übergeordnetes ticket, tâche parente, tarea padre, tarefa mãe,
    tarefa principal, attività principale, hoofdtaak, zadanie nadrzędne, 親タスク, 親チケット, 親課題`,
  assignee: `assigned to, assignees, assign, person, owner, responsible, zuständig, zugewiesen an, bearbeiter, verantwortlich,
    verantwortliche, assigné à, responsable, asignado a, responsável, atribuído a, atribuído para, assegnato a,
    responsabile, toegewezen aan, verantwoordelijke, przypisany do, wykonawca, 担当者, 担当`,
  creator: 'created by, author, reporter, autor, erstellt von, melder, auteur, créé par, autore, 作成者, 報告者',
  watchers: 'beobachter, observateurs, seguidores, observadores, osservatori, volgers, obserwatorzy, ウォッチャー',
  startDate: `start date, start, beginn, startdatum, anfang, début, date de début, fecha de inicio, inicio, data de início,
    início, inizio, data inizio, begindatum, data rozpoczęcia, 開始日`,
  dueDate: `due date, due, deadline, abgabedatum, fällig, fällig am, fälligkeit, fälligkeitsdatum, termin, frist, bis,
    echéance, échéance, date d'échéance, fecha de vencimiento, vencimiento, fecha fin, fecha límite, data prevista,
    data de fim, vencimento, prazo, scadenza, data di scadenza, vervaldatum, einddatum, termin oddania, data oddania,
    期日, 期限, 期限日`,
  estimateSeconds: `estimate, effort, estimated time, original estimate, aufwand, geschätzter aufwand, schätzung,
    temps estimé, estimation, tiempo estimado, estimación, tempo estimado, estimativa, tempo stimato, stima,
    geschatte tijd, schatting, szacowany czas, 予定工数, 見積`,
  externalUrl: 'url, link, lien, enlace, リンク',
  completedAt: `completed, completed at, completed on, completed date, closed date, date closed, date done, done at, closed, closed at, resolved, erledigt am, abgeschlossen am,
    geschlossen am, fertiggestellt am, terminé le, fermé, fermé le, cerrada, cerrado, finalizado, concluído, concluído em,
    fechado em, chiuso, completato il, gesloten, afgerond op, data zamknięcia, ukończono, 完了日, 終了日`,
  cancelledAt: 'cancelled, canceled, cancelled at, canceled at, abgebrochen am, storniert am',
  createdAt: `created, created at, created on, created date, date created, erstellt, erstellt am, angelegt, angelegt am, créé, créé le, creado,
    fecha de creación, criado, criado em, creato, creato il, aangemaakt, aangemaakt op, data utworzenia, utworzono, 作成日`,
  updatedAt: `updated, updated at, updated on, changed date, date updated, last modified, aktualisiert, aktualisiert am, geändert am, modifié, mis à jour,
    mis-à-jour, actualizado, modificado, alterado em, atualizado, aggiornato, modificato, gewijzigd op, bijgewerkt,
    data modyfikacji, zmieniono, 更新日`,
  tags: 'labels, label, tag, schlagworte, schlagwörter, markierung, étiquettes, etiquetas, etichette, tagi, etykiety, タグ, ラベル',
  type: 'issue type, tracker, typ, art, vorgangstyp, tipo, soort, rodzaj, 種類, 種別',
  'fields.sprint': 'sprint, スプリント',
  'fields.iteration': 'iteration, イテレーション',
  'fields.storyPoints': 'story points, story point, storypoints, ストーリーポイント',
  project: 'project name, projekt, projet, proyecto, projeto, progetto, プロジェクト',
}

/** Headings that mean the title if there is no other, and something else of a task. */
const names = new Set(['name', 'nom', 'nombre', 'nome', 'naam', 'nazwa', '名前', '名称'])
export const isName = (heading: string) => names.has(heading.toLowerCase().trim())

/** In seconds. */
const units: readonly [seconds: number, pattern: RegExp][] = [
  [1, /^(?:s|sec|secs|seconds?|sek|sekunden)$/],
  [60, /^(?:min|mins|minutes?|minuten|minutos|minuti|minuty|分)$/],
  [3_600, /^(?:h|hrs?|hours?|std|stunden|heures?|horas?|ore|uur|uren|godz|godziny|時間)$/],
]

const fieldsByHeading = new Map(
  Object.entries(headings).flatMap(([field, words]) => words.split(/,\s+/).map((heading) => [heading, field] as const)),
)

/** The field that a heading usually means. An estimate without a unit has no usual meaning. */
export function usualField(heading: string): { field: string; factor: number } | undefined {
  const [, words = '', unit] =
    /^(.*?)(?:\s*(?:[([]([^)\]]*)[)\]]|\bin (\p{L}+)))?$/u.exec(heading.toLowerCase().trim()) ?? []
  const field = fieldsByHeading.get(words.replace(/[.:*]+$/, '').replaceAll(/\s+/g, ' '))
  if (field === undefined) return undefined
  if (field !== 'estimateSeconds') return { field, factor: 1 }
  const factor = units.find(([, pattern]) => pattern.test((unit ?? '').replace(/\.$/, '')))?.[0]
  return factor === undefined ? undefined : { field, factor }
}
