import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { createKafka, type IncomingMessage, openIncoming } from '@taproom/messaging'
import { startKafka, startProcess } from '@taproom/testkit'

const main = new URL('../src/main.ts', import.meta.url)
// begin remote
const standIn = new URL('./remote-standin-main.ts', import.meta.url)
// end

/** template-app in its own process, with what it needs. */
export async function startTemplateAppProcess(env: Readonly<Record<string, string>> = {}) {
  await using opened = new AsyncDisposableStack()
  // begin database
  const folder = await mkdtemp(join(tmpdir(), 'template-app-'))
  opened.defer(() => rm(folder, { recursive: true }))
  // end
  // begin jwt
  const issuer = await createDevIssuer()
  // end
  // begin incoming|outgoing|transform
  const kafka = opened.use(await startKafka())
  // end
  // begin remote
  const remote = opened.use(startProcess(standIn, {}))
  // end
  const variables = {
    // begin database
    DATABASE_URL: `sqlite:${join(folder, 'template-app.sqlite')}`,
    // end
    // begin jwt
    MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem,
    MP_JWT_VERIFY_ISSUER: issuer.issuer,
    // end
    // begin incoming|outgoing|transform
    KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers,
    // end
    // begin remote
    TEMPLATE_APP_REMOTE_URL: await remote.url(),
    // end
    ...env,
  }
  const service = opened.use(startProcess(main, variables))
  const url = await service.url()
  // begin incoming|outbox|transform
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const client = createKafka({ clientId: 'test', bootstrapServers: kafka.bootstrapServers, log: quiet })
  // end
  const all = opened.move()
  return {
    service,
    url,
    // begin jwt
    issuer,
    // end
    // begin incoming|transform
    kafka: client,
    // end
    // begin outbox|inbox
    /** The variables of the process. */
    env: variables,
    // end
    // begin outbox|transform
    /** The messages of a topic, from its beginning. */
    async readTopic(channel: string) {
      const messages: IncomingMessage[] = []
      const onMessage = (message: IncomingMessage) => void messages.push(message)
      const reader = openIncoming(client, { channel, from: 'earliest', onMessage })
      await reader.assigned
      return { messages, [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose]() }
    },
    // end
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
