// The SQL that finds the tasks that a filter or a field names by id, number or reference.

import { include } from '../../db/include.ts'
import sql from '../../../sql/tasks/named-tasks.sql'

/** Takes the SQL of an array of names. */
export const namedTasks = (names: string): string => include(sql, { names })
