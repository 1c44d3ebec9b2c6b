"""Validates docs/openapi.json, its examples, and real responses, with the JSON Schemas in it.

The input has "document" and "responses", each with "operation", "status", "type" and "body". The output has one
line for each problem.
"""

import datetime
import json
import sys
import warnings

warnings.simplefilter("ignore")  # newer versions of jsonschema have another class for references
import jsonschema  # noqa: E402

given = json.load(sys.stdin)
document = given["document"]
formats = jsonschema.FormatChecker(formats=[])


@formats.checks("date-time", ValueError)
def is_instant(text):
    return not isinstance(text, str) or datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).tzinfo is not None


@formats.checks("date", ValueError)
def is_date(text):
    return not isinstance(text, str) or bool(datetime.date.fromisoformat(text))


def mistakes(schema, value):
    """Returns what is wrong with a value."""
    root = {"components": document["components"], "allOf": [schema]}
    validator = jsonschema.Draft202012Validator(root, format_checker=formats)
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validator.iter_errors(value)]


def resolved(value):
    """Follows a reference within the document."""
    while "$ref" in value:
        target = document
        for name in value["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        value = target
    return value


def references(value):
    """Yields all references."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from references(part)


def check(what, schema, value):
    for mistake in mistakes(schema, value):
        print(f"{what}: {mistake}")


for name, schema in document["components"]["schemas"].items():
    jsonschema.Draft202012Validator.check_schema(schema)
for reference in references(document):
    resolved(reference)

operations = {}
for path, item in document["paths"].items():
    for method, operation in item.items():
        name = operation["operationId"]
        if name in operations:
            print(f"{name}: comes twice")
        operations[name] = operation
        for parameter in operation.get("parameters", []):
            if "example" in parameter:
                check(f"{name}, {parameter['name']}", parameter["schema"], parameter["example"])
        contents = [operation.get("requestBody", {}).get("content", {})]
        contents += [resolved(response).get("content", {}) for response in operation["responses"].values()]
        examples = 0
        for content in contents:
            for kind, body in content.items():
                if "example" in body:
                    examples += 1
                    check(f"{name}, {kind}", body["schema"], body["example"])
        # Content such as a picture has no example.
        is_json = any("json" in kind for kind in operation["responses"].get("200", {}).get("content", {}))
        if not examples and name != "openapi" and is_json:
            print(f"{name}: has no example")

for response in given["responses"]:
    what = f"{response['operation']}, {response['status']}"
    known = operations[response["operation"]]["responses"]
    if str(response["status"]) not in known:
        print(f"{what}: is not described")
        continue
    content = resolved(known[str(response["status"])]).get("content", {})
    if response["type"] not in content:
        print(f"{what}: has no {response['type']}")
        continue
    check(what, content[response["type"]]["schema"], response["body"])
