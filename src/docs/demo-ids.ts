// Ids that exist in all demo data, whatever its day and size: sql/demo derives them from names. So the examples of the
// reference can be sent as they are.

/** An owner of tasks, comments and time entries in the project. */
const owner = '019aa732-8fa0-7597-ac06-64231efda441'

/** By the names of parameters. All belong to the project WEB, and most to its task 5, which has a parent. */
export const demoIds = {
  projectId: '019aa732-8fa0-7f32-a95b-d7f36985e816',
  taskId: '019aa732-8fa5-7afc-a712-5c382fbf6d65',
  parentId: '019aa732-8fa1-72bc-a183-5abc4a110c09',
  commentId: '019aa732-8fa5-7cba-a032-6434fc7a85cc',
  timeEntryId: '019aa732-8fa5-749a-ade3-9bedb5de411b',
  documentId: '019aa732-8fa5-7fb1-ad7f-a6f7a8d2ec3f',
  boardId: '019aa732-8fa0-74aa-a9c7-6ed36e682a22',
  stageId: '019aa732-8fa0-793e-ae9e-36d17cc3cee5',
  teamId: '019aa732-8fa0-7321-ab2b-cb575cc7b592',
  userId: owner,
  assigneeId: owner,
  creatorId: owner,
  watcherId: owner,
  authorId: owner,
} as const satisfies Record<string, string>
