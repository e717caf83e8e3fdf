"""What Confluent's client for Python does with a registry; its lines are compared by python-client.test.ts."""

import json
import sys

from confluent_kafka.schema_registry import Schema, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.schema_registry.json_schema import JSONDeserializer, JSONSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

client = SchemaRegistryClient({"url": sys.argv[1]})
beer = {"name": "Duvel"}


def avro(*fields):
    types = [{"name": field, "type": "string"} for field in fields]
    return json.dumps({"type": "record", "name": "Beer", "fields": types})


def code_of(call):
    try:
        call()
    except SchemaRegistryError as error:
        return error.error_code


context = SerializationContext("beers-avro", MessageField.VALUE)
sent = AvroSerializer(client, avro("name"))(beer, context)
print("avro", json.dumps(AvroDeserializer(SchemaRegistryClient({"url": sys.argv[1]}))(sent, context)))

schema = json.dumps({"title": "Beer", "type": "object", "properties": {"name": {"type": "string"}}})
context = SerializationContext("beers-json", MessageField.VALUE)
sent = JSONSerializer(schema, client)(beer, context)
print("json", json.dumps(JSONDeserializer(schema, schema_registry_client=client)(sent, context)))

subject = "beers-avro-value"
print("lookup", client.lookup_schema(subject, Schema(avro("name"), "AVRO")).version)
other = Schema(avro("name", "style"), "AVRO")
print("compatible", client.test_compatibility(subject, other))
print("conflict", code_of(lambda: client.register_schema(subject, other)))
client.set_compatibility(subject, "FULL")
print("config", client.get_compatibility(subject))
print("subjects", ",".join(client.get_subjects()))
print("deleted", ",".join(str(version) for version in client.delete_subject(subject)))
print("missing", code_of(lambda: SchemaRegistryClient({"url": sys.argv[1]}).get_version(subject, 1)))
