import { APPS } from '../harness/apps.ts'
import { inTaproom, kubectl, rolledOut } from '../harness/kubectl.ts'
import { listOf, type NodeProgram, nodeProgram, serviceOf } from './node-program.ts'

const ECHO: NodeProgram = {
  name: 'echo',
  program: `
require('node:http').createServer((req, res) => {
  if (req.url === '/echo/breaks') res.destroy()
  else if (req.url !== '/echo/waits') res.end(JSON.stringify(req.rawHeaders))
}).listen(8080)`,
  port: 8080,
  labels: { 'taproom.dev/routed': 'true' },
}

/**
 * Starts a service that answers with the headers it got, at `/echo` of the Gateway, by a route like those of the system; it breaks off at
 * `/echo/breaks`, and never answers at `/echo/waits`, for which the Gateway waits two seconds.
 */
export async function startEcho(): Promise<AsyncDisposable> {
  const { spec } = JSON.parse(await inTaproom('get', `httproute/${APPS.films}`, '-o', 'json'))
  const [{ filters }] = spec.rules
  const route = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: ECHO.name },
    spec: {
      parentRefs: spec.parentRefs,
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/echo' } }],
          filters,
          timeouts: { request: '2s' },
          backendRefs: [{ name: ECHO.name, port: 80 }],
        },
      ],
    },
  }
  const objects = listOf([nodeProgram(ECHO), serviceOf(ECHO, ECHO.name, 80), route])
  await kubectl(['-n', 'taproom', 'apply', '--filename', '-'], objects)
  await rolledOut(ECHO.name)
  return {
    async [Symbol.asyncDispose]() {
      await kubectl(['-n', 'taproom', 'delete', '--filename', '-'], objects)
    },
  }
}
