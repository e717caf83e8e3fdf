import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { CloudEvent, type CloudEventV1, HTTP } from 'cloudevents'

/** Sends and receives events with the SDK of JavaScript. */
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const server = createServer(async (req, res) => {
  const body = Buffer.concat(await req.toArray()).toString()
  try {
    const event = HTTP.toEvent({ headers: req.headers, body }) as CloudEvent<unknown>
    event.validate()
    const { id, source, subject = null, data } = event
    say({ received: { id, source, subject, hasData: data !== undefined && data !== '' } })
    res.writeHead(202).end()
  } catch (error) {
    say({ refused: String(error) })
    res.writeHead(400).end()
  }
}).listen(0, '127.0.0.1', () => say({ port: (server.address() as AddressInfo).port }))

for await (const line of createInterface({ input: process.stdin })) {
  const { url, event } = JSON.parse(line) as { url: string; event: CloudEventV1<unknown> }
  try {
    const { headers, body } = HTTP.binary(new CloudEvent(event))
    const { status } = await fetch(url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: body as string,
    })
    say({ sent: status })
  } catch (error) {
    say({ failed: String(error) })
  }
}
server.close()
