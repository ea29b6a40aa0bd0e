"""Loaded by schemathesis: two rules of the contract that no schema can express, and which have their own test cases."""

import json

import schemathesis
from schemathesis.checks import CheckContext
from schemathesis.specs.openapi.checks import RejectedPositiveData, positive_data_acceptance


# A source_url needs a public host; an Idempotency-Key that was sent before needs the same body.
BEYOND_SCHEMAS = ("source_url ", "Idempotency-Key was sent before")


def refuses_beyond_schemas(response: schemathesis.Response) -> bool:
    """Whether the response rejects what no schema can express, which every such 400 names first."""
    if response.status_code != 400:
        return False
    try:
        message = json.loads(response.content)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return False
    return str(message).startswith(BEYOND_SCHEMAS)


@schemathesis.check
def acceptance_within_schemas(
    ctx: CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> bool | None:
    """positive_data_acceptance, except for what no schema can express."""
    try:
        return positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        if refuses_beyond_schemas(response):
            return None
        raise
