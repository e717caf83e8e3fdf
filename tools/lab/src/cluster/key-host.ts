import type { DevIssuer } from '@taproom/jwt/testing'
import { inTaproom } from '../harness/kubectl.ts'
import { labelsOf, listOf, type NodeProgram, nodeProgram, serviceOf } from './node-program.ts'

/** How long the verifier of tokens may keep a reading, in seconds: no less is taken. */
export const KEYS_MAX_AGE_SECONDS = 30

const HOST: NodeProgram = {
  name: 'key-host',
  program: `
const { existsSync, readFileSync } = require('node:fs')
require('node:http').createServer((_, res) => {
  if (!existsSync('/published/keys')) return res.writeHead(503).end()
  res.setHeader('cache-control', 'max-age=${KEYS_MAX_AGE_SECONDS}').end(readFileSync('/published/keys'))
}).listen(8080)`,
  port: 8080,
  volumes: { '/published': { emptyDir: {} } },
}

const metadata = { name: HOST.name, labels: labelsOf(HOST.name) }
const host = { podSelector: { matchLabels: labelsOf(HOST.name) } }
const claimApi = { podSelector: { matchLabels: { 'taproom.dev/needs-issuer': 'true' } } }
const ports = [{ protocol: 'TCP', port: HOST.port }]

/** An issuer's host of its key set, at `http://key-host/keys`, and who gets there. */
export const KEY_HOST = listOf([
  nodeProgram(HOST),
  serviceOf(HOST, HOST.name, 80),
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: { ...host, policyTypes: ['Ingress'], ingress: [{ from: [claimApi], ports }] },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'key-host-clients' },
    spec: { ...claimApi, policyTypes: ['Egress'], egress: [{ to: [host], ports }] },
  },
])

/** Makes these the keys of the set. */
export async function publishKeys(...issuers: readonly DevIssuer[]): Promise<void> {
  const keys = JSON.stringify({ keys: issuers.map(({ jwk }) => jwk) })
  const program = `fs.writeFileSync('/published/new', process.argv[1]), fs.renameSync('/published/new', '/published/keys')`
  await inTaproom('exec', 'deployment/key-host', '--', 'node', '-e', program, keys)
}
