export { type CheckJsonOptions, checkJson, type JsonKind, type JsonPart } from './check-json.ts'
export { JsonError, type JsonErrorCode } from './json-error.ts'
export { LIMITS } from './limits.ts'
export { isJsonObject, type JsonLimits, type JsonObject, parseJson } from './parse-json.ts'
