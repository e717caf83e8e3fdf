"""What Confluent's client for Python does with a registry; its lines are compared by python-client.test.ts."""

import json
import sys

from confluent_kafka.schema_registry import Metadata, MetadataProperties, Rule, RuleKind, RuleMode, RuleSet, Schema, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.schema_registry.json_schema import JSONDeserializer, JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer, ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, timestamp_pb2

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

# What protoc would write for a beer.proto that imports brewery.proto and Google's Timestamp.
field = descriptor_pb2.FieldDescriptorProto
brewery = descriptor_pb2.FileDescriptorProto(name="brewery.proto", package="beers", syntax="proto3")
brewery.message_type.add(name="Brewery").field.add(name="city", number=1, type=field.TYPE_STRING, label=1)
proto = descriptor_pb2.FileDescriptorProto(name="beer.proto", package="beers", syntax="proto3")
proto.dependency.extend(["brewery.proto", "google/protobuf/timestamp.proto"])
message = proto.message_type.add(name="Beer")
message.field.add(name="name", number=1, type=field.TYPE_STRING, label=1)
message.field.add(name="brewery", number=2, type=field.TYPE_MESSAGE, type_name=".beers.Brewery", label=1)
message.field.add(name="at", number=3, type=field.TYPE_MESSAGE, type_name=".google.protobuf.Timestamp", label=1)
pool = descriptor_pool.DescriptorPool()
pool.AddSerializedFile(timestamp_pb2.DESCRIPTOR.serialized_pb)
for file in (brewery, proto):
    pool.Add(file)
Beer = message_factory.GetMessageClass(pool.FindMessageTypeByName("beers.Beer"))
duvel = Beer(name="Duvel")
duvel.brewery.city = "Breendonk"
context = SerializationContext("beers-proto", MessageField.VALUE)
sent = ProtobufSerializer(Beer, client, {"use.deprecated.format": False})(duvel, context)
reader = ProtobufDeserializer(Beer, {"use.deprecated.format": False}, SchemaRegistryClient({"url": sys.argv[1]}))
print("protobuf", reader(sent, context).brewery.city)
registered = client.get_latest_version("beers-proto-value")
print("text", registered.schema.schema_str.splitlines()[1], [each.name for each in registered.schema.references])
serialized = client.get_schema(registered.schema_id, fmt="serialized").schema_str
print("serialized", client.register_schema("again", Schema(serialized, "PROTOBUF", registered.schema.references)))

rule = Rule("upper", None, RuleKind.TRANSFORM, RuleMode.WRITE, "CEL_FIELD", None, None, "value", None, "ERROR", False)
metadata = Metadata(None, MetadataProperties({"owner": "bar"}), None)
contract = Schema(avro("name"), "AVRO", [], metadata, RuleSet(None, [rule]))
client.register_schema("contract", contract)
kept = client.get_latest_version("contract").schema
print("contract", kept.metadata.properties.properties, [each.name for each in kept.rule_set.domain_rules])
print("metadata", client.get_latest_with_metadata("contract", {"owner": "bar"}).version)

other = SchemaRegistryClient({"url": sys.argv[1] + "/contexts/.other"})
print("context", other.register_schema("beers", Schema(avro("name"), "AVRO")), other.get_subjects())
client.delete_subject("contract")
for name in ("beers-proto-value", "again", "brewery.proto"):
    client.delete_subject(name)

subject = "beers-avro-value"
print("lookup", client.lookup_schema(subject, Schema(avro("name"), "AVRO")).version)
changed = Schema(avro("name", "style"), "AVRO")
print("compatible", client.test_compatibility(subject, changed))
print("conflict", code_of(lambda: client.register_schema(subject, changed)))
client.set_compatibility(subject, "FULL")
print("config", client.get_compatibility(subject))
print("subjects", ",".join(client.get_subjects()))
print("deleted", ",".join(str(version) for version in client.delete_subject(subject)))
print("missing", code_of(lambda: SchemaRegistryClient({"url": sys.argv[1]}).get_version(subject, 1)))
