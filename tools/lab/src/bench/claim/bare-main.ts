/** The shortest program that checks a token: node:http, jose, and the claims that the contract names. */
import { createServer } from 'node:http'
import { errors, importSPKI, type JWTPayload, jwtVerify } from 'jose'
import { listenReady } from '../../harness/server-process.ts'

/** The only argument has the key in PEM, and the issuer. */
const { publicKey, issuer } = JSON.parse(process.argv[2] ?? '')
const key = await importSPKI(publicKey, 'RS256')

type Claims = JWTPayload & { readonly groups: readonly string[]; readonly preferred_username: string }

async function usernameOf(authorization = ''): Promise<string | undefined> {
  try {
    const token = authorization.slice('Bearer '.length)
    const { payload } = await jwtVerify<Claims>(token, key, { issuer, algorithms: ['RS256'], requiredClaims: ['exp'] })
    return payload.groups.includes('Subscriber') ? payload.preferred_username : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

listenReady(
  createServer(async (req, res) => {
    const username = req.url === '/secure/claim' ? await usernameOf(req.headers.authorization) : undefined
    if (username === undefined) {
      res.writeHead(401, { 'WWW-Authenticate': 'Bearer', 'Content-Length': 0 }).end()
      return
    }
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(username) })
    res.end(username)
  }),
)
