/** The shortest program that checks a token: node:http, crypto.verify, and the claims that the contract names. */
import { createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { listenReady } from '../server-process.ts'

/** Of its one argument: the key in PEM, and who signs. */
const { publicKey, issuer } = JSON.parse(process.argv[2] ?? '')
const key = createPublicKey(publicKey)

function usernameOf(authorization = ''): string | undefined {
  const [header = '', payload = '', signature = ''] = authorization.slice('Bearer '.length).split('.')
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
  if (alg !== 'RS256') return undefined
  if (!verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return undefined
  const { iss, exp, groups, preferred_username } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return iss === issuer && exp > Date.now() / 1000 && groups.includes('Subscriber') ? preferred_username : undefined
}

listenReady(
  createServer((req, res) => {
    const username = req.url === '/secure/claim' ? usernameOf(req.headers.authorization) : undefined
    if (username === undefined) {
      res.writeHead(401, { 'WWW-Authenticate': 'Bearer', 'Content-Length': 0 }).end()
      return
    }
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(username) })
    res.end(username)
  }),
)
