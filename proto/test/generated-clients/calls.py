"""Calls every operation of the generated client as the arguments say, and prints what it read from the responses."""

import importlib
import json
import sys

from generated.client import AuthenticatedClient
from generated.models import IngestRequest

given = json.loads(sys.argv[1])
outcomes = []
with AuthenticatedClient(base_url=given["url"], token=given["key"], raise_on_unexpected_status=True) as client:
    for call in given["calls"]:
        module = importlib.import_module(f"generated.api.videos.{call['module']}")
        if call["request"] is None:
            response = module.sync_detailed(given["id"], client=client)
        else:
            response = module.sync_detailed(client=client, body=IngestRequest.from_dict(call["request"]))
        outcomes.append({"status": response.status_code, "body": response.parsed.to_dict()})
print(json.dumps(outcomes))
