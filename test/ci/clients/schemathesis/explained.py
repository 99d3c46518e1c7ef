"""Explains the requests that match the document and are refused. Everything else that schemathesis reports is a fault
of the service or of its document."""

import itertools
import re

import schemathesis

# Rules that JSON Schema cannot express: the name of the invalid parameter or field, and its message. The descriptions
# in the document state them all.
RULES = [
    # Cursors are opaque: only the service makes them. A page with other filters or another sort has other cursors.
    (r"cursor", r"must be the meta\.nextCursor of a page with the same filters and sort"),
    # Two values that do not fit together.
    (r"to", r"must be after from"),
    (r"from", r"is later than today, so to is required as well"),
    (r"dueDate", r"must not be before startDate"),
    (r"interval|groupBy", r"divides this range into \d+ intervals, .*"),
    (r"\?", r"Give at least one (expectation|task).*"),
    (r"taskIds", r"must be at most 100 tasks, with number and externalId"),
    (r"minVerified", r"must be at most the number of tasks"),
    # Days that do not exist, such as 30 February.
    (r"\w+(After|Before|Date)", r"must be a (time|date) such as .*"),
    (r"timezone", r"must .*"),
    # Rows that do not exist in the project.
    (r"(stageId|parentId)", r"does not exist in this project"),
    (r"(assigneeId|creatorId|(assigneeIds|watcherIds)\.\d+)", r"is not a user of this project"),
    (r"assigneeIds", r"must begin with assigneeId"),
    # Own fields, which the project declares.
    (r"fields\..*", r"is (no name of a field|not declared for this project).*|must be .*"),
    (r"fields", r"must (have at most 50 names|be at most 16384 bytes of JSON)"),
    (r"measure", r"is not an own field of this project with the type number"),
    (r"ownerId", r"is not a user visible to this key"),
    (r"wait", r"must be a number of seconds between 0 and 30, with up to three decimals"),
    # Text.
    (r"q", r"must contain a letter or a digit"),
    (r"\w+", r"must not contain NUL"),
    (r"[\w.]+", r"must not contain NUL or an unpaired surrogate"),
]

# Schemathesis makes up an ETag that no task has.
CODES = {"PRECONDITION_FAILED"}


known_cursors = set()
attempts = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Removes a made-up cursor, and replaces an idempotency key that was used for another body. Either would be the
    reason of all refusals, so that nothing else in these requests would be tested."""
    if not case.meta.generation.mode.is_positive:
        return
    if case.query.get("cursor") not in known_cursors:
        case.query.pop("cursor", None)
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"attempt-{next(attempts)}"


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 200:
        cursor = response.json().get("meta", {}).get("nextCursor")
        known_cursors.update([cursor] if cursor else [])


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Returns False for an explained failure, which is then not reported."""
    if failure.code == "ST202":
        return not is_explained(response.json())
    # The limit on attempts with invalid keys, which schemathesis sends in place of the valid one.
    return not (failure.code == "ST401" and "429 Too Many Requests" in failure.message)


def is_explained(problem):
    if problem["code"] in CODES:
        return True
    faults = problem.get("errors", [])
    return len(faults) > 0 and all(follows_rule(fault["name"], fault["message"]) for fault in faults)


def follows_rule(name, message):
    return any(re.fullmatch(known, name) and re.fullmatch(text, message) for known, text in RULES)
