"""Calls every operation of a client by openapi-python-client. Arguments: URL, token, folder of the client, names of operations to leave out."""

import importlib
import inspect
import json
import pkgutil
import sys

url, token, folder, *left_out = sys.argv[1:]
sys.path.insert(0, folder)
import client_of_the_test as generated  # noqa: E402
import client_of_the_test.models as generated_models  # noqa: E402

api = importlib.import_module(generated.__name__ + ".api")
for module in pkgutil.walk_packages(api.__path__, api.__name__ + "."):
    operation = module.name.rsplit(".", 1)[-1]
    if module.ispkg or operation in left_out:
        continue
    call = importlib.import_module(module.name).sync_detailed
    parameters = inspect.signature(call).parameters
    needed = [n for n, p in parameters.items() if p.default is inspect.Parameter.empty and n != "client"]
    arguments = {name: "none" for name in needed}
    if "format_" in parameters:
        arguments["format_"] = generated_models.OpenapiFormat.JSON
    client = generated.AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)
    answer = call(client=client, **arguments)
    print(json.dumps({"operation": operation, "status": int(answer.status_code), "parsed": type(answer.parsed).__name__}))
