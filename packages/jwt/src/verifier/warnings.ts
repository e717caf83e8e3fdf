import type { JwtVerifierOptions } from './verifier-options.ts'

/**
 * What should not be so in production: tokens for others are accepted because no audience is set, or keys and answers come over `http:`,
 * where whoever is on the way can replace them. One sentence each; secrets and paths are left out.
 */
export function productionWarnings(options: JwtVerifierOptions): readonly string[] {
  const warnings: string[] = []
  for (const entry of options.issuers) {
    const own = typeof entry === 'string' ? { ...options, issuer: entry } : entry
    const who = JSON.stringify(own.issuer)
    const audiences = own.audiences ?? options.audiences ?? []
    if (audiences.length === 0)
      warnings.push(`no audience is set for the issuer ${who}: its tokens for others are accepted`)
    const source = own.discovery === true ? own.issuer : own.publicKeyLocation
    if (isOpen(source)) warnings.push(`the keys of the issuer ${who} come over http:, where they can be replaced`)
  }
  if (isOpen(options.introspection?.url)) {
    warnings.push('introspection goes over http:, where tokens and the secret can be read, and answers be replaced')
  }
  return warnings
}

function isOpen(location = ''): boolean {
  return URL.parse(location)?.protocol === 'http:'
}
