"""Uses the client of openapi-python-client as an integrator would. Prints its results as JSON."""

import json
import os
import sys

from workgate_client import AuthenticatedClient
from workgate_client.api.projects import get_project, list_projects
from workgate_client.api.tasks import complete_task, create_task, list_tasks
from workgate_client.models import (
    ListProjectsSort,
    ListTasksSort,
    Priority,
    Problem,
    ProblemCode,
    ProjectPage,
    Task,
    TaskInput,
    TaskPage,
    TaskResponse,
    TaskState,
)
from workgate_client.types import UNSET, Unset

client = AuthenticatedClient(base_url=f"{sys.argv[1]}/api/external/v1", token=os.environ["WORKGATE_KEY"])


def first_project() -> str:
    found = list_projects.sync(client=client, sort=ListProjectsSort.NAME_DESCENDING, limit=1)
    assert isinstance(found, ProjectPage)
    return found.data[0].key


def walk(project: str, limit: int) -> list[Task]:
    tasks: list[Task] = []
    cursor: str | Unset = UNSET
    while True:
        page = list_tasks.sync(
            project,
            client=client,
            state=[TaskState.COMPLETED, TaskState.OPEN],
            created_after="2020-01-01",
            sort=ListTasksSort.UPDATED_AT_DESCENDING,
            limit=limit,
            cursor=cursor,
        )
        assert isinstance(page, TaskPage)
        tasks += page.data
        if page.meta.next_cursor is None:
            return tasks
        cursor = page.meta.next_cursor


def create(project: str, title: str) -> tuple[Task, str, str | None]:
    body = TaskInput(title=title, priority=Priority.HIGH, tags=["generated"], due_date=None)
    response = create_task.sync_detailed(project, client=client, body=body, idempotency_key=title.replace(" ", "-"))
    assert isinstance(response.parsed, TaskResponse)
    return response.parsed.data, response.headers["etag"], response.headers.get("idempotency-replayed")


def complete(task: Task, etag: str) -> Task | ProblemCode:
    found = complete_task.sync(str(task.project_id), task.reference, client=client, if_match=etag)
    if isinstance(found, Problem):
        return found.code
    assert isinstance(found, TaskResponse)
    return found.data


project = first_project()
created, etag, _ = create(project, "Made in Python")
again, _, replayed = create(project, "Made in Python")
completed = complete(created, etag)
problem = get_project.sync("NONE", client=client)
assert isinstance(completed, Task) and isinstance(problem, Problem)

print(
    json.dumps(
        {
            "small": [str(task.id) for task in walk(project, 7)],
            "large": [str(task.id) for task in walk(project, 200)],
            "created": created.to_dict(),
            "again": str(again.id),
            "replayed": replayed,
            "completed": completed.to_dict(),
            "stale": complete(created, '"another"'),
            "problem": [problem.status, problem.code],
        }
    )
)
