"""Uses the client of openapi-generator as an integrator would: openapi_generator.py ORIGIN PROJECT LIMIT"""

import datetime
import json
import os
import sys

from workgate_client import ApiClient, Configuration, Priority, TaskInput, TasksApi, TaskState
from workgate_client.exceptions import NotFoundException
from workgate_client.models.problem import Problem

configuration = Configuration(host=f"{sys.argv[1]}/api/external/v1", access_token=os.environ["WORKGATE_KEY"])
api = TasksApi(ApiClient(configuration))
project = sys.argv[2]


def walk(limit: int) -> list[list[str]]:
    pages: list[list[str]] = []
    cursor: str | None = None
    while True:
        page = api.list_tasks(
            project,
            state=[TaskState.COMPLETED, TaskState.CANCELLED],
            priority=[Priority.LOW, Priority.MEDIUM, Priority.HIGH],
            sort="-updatedAt",
            limit=limit,
            cursor=cursor,
        )
        pages.append([str(task.id) for task in page.data])
        cursor = page.meta.next_cursor
        if cursor is None:
            return pages


def create() -> dict[str, object]:
    body = TaskInput(
        title="Made by openapi-generator in Python",
        description=None,
        priority=Priority.HIGH,
        dueDate=datetime.date(2026, 12, 1),
        tags=["generated"],
    )
    created = api.create_task(project, body).data
    task = api.get_task(project, str(created.id), include=["tags", "watchers"]).data
    assert task.due_date is not None and task.tags is not None
    return {
        "id": str(task.id),
        "title": task.title,
        "priority": task.priority.value,
        "dueDate": task.due_date.isoformat(),
        "tags": [tag.name for tag in task.tags],
    }


def missing() -> str:
    try:
        api.get_task(project, project)
    except NotFoundException as failure:
        assert isinstance(failure.data, Problem)
        return failure.data.code.value
    raise AssertionError("the request did not fail")


print(json.dumps({"pages": walk(int(sys.argv[3])), "created": create(), "problem": missing()}))
