/** Opens telemetry and prints which of Node's modules for exporting are loaded. */
import { openTelemetry } from '../src/index.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
await using _telemetry = await openTelemetry({ name: 'a-service', env, log })
// Not in Node's types, but in Node since version 0.11.
const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] }
console.log(JSON.stringify(moduleLoadList.filter((name) => / (http|https|tls|zlib)$/.test(name))))
