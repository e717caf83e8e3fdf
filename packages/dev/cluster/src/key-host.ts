import type { DevIssuer } from '@taproom/jwt/testing'
import { inTaproom } from './kubectl.ts'

/** How long claim-api may keep a reading, in seconds: no less is taken. */
export const KEYS_MAX_AGE_SECONDS = 30

const PROGRAM = `
const { existsSync, readFileSync } = require('node:fs')
require('node:http').createServer((_, res) => {
  if (!existsSync('/published/keys')) return res.writeHead(503).end()
  res.setHeader('cache-control', 'max-age=${KEYS_MAX_AGE_SECONDS}').end(readFileSync('/published/keys'))
}).listen(8080)`

const metadata = { name: 'key-host', labels: { 'app.kubernetes.io/name': 'key-host' } }
const selector = { 'app.kubernetes.io/name': 'key-host' }
const port = [{ protocol: 'TCP', port: 8080 }]
const claimApi = { podSelector: { matchLabels: { 'taproom.dev/needs-issuer': 'true' } } }

/** An issuer's host of its key set, at `http://key-host/keys`, and who gets there. */
export const KEY_HOST = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: selector },
          spec: {
            terminationGracePeriodSeconds: 1,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                name: 'key-host',
                // Any with Node.
                image: 'claim-api:development',
                command: ['node', '-e', PROGRAM],
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
                volumeMounts: [{ name: 'published', mountPath: '/published' }],
              },
            ],
            volumes: [{ name: 'published', emptyDir: {} }],
          },
        },
      },
    },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector, ports: [{ port: 80, targetPort: 8080 }] } },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata,
      spec: {
        podSelector: { matchLabels: selector },
        policyTypes: ['Ingress'],
        ingress: [{ from: [claimApi], ports: port }],
      },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'key-host-clients' },
      spec: {
        podSelector: claimApi.podSelector,
        policyTypes: ['Egress'],
        egress: [{ to: [{ podSelector: { matchLabels: selector } }], ports: port }],
      },
    },
  ],
})

/** Makes these the keys of the set. */
export async function publishKeys(...issuers: readonly DevIssuer[]): Promise<void> {
  const keys = JSON.stringify({ keys: issuers.map(({ jwk }) => jwk) })
  const program = `fs.writeFileSync('/published/new', process.argv[1]), fs.renameSync('/published/new', '/published/keys')`
  await inTaproom('exec', 'deployment/key-host', '--', 'node', '-e', program, keys)
}
