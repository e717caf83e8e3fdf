export { SchemaTopicError } from './errors.ts'
export { type SchemaRegistry, type SchemaRegistryOptions, startSchemaRegistry } from './schema-registry.ts'
