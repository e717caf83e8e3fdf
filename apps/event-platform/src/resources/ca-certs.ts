import { X509Certificate } from 'node:crypto'

const MOST_CHARACTERS = 32 * 1024
const BEGIN = /-----BEGIN /g
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/**
 * Why a text is not valid as `CACerts`, which are one or more certificates in PEM (RFC 7468); undefined when it is. Text around them is
 * allowed, anything else in PEM is not: a private key must not lie there unseen. Whether a certificate has expired shows when it is used.
 */
export function checkCaCerts(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return `must not have more than ${MOST_CHARACTERS} characters`
  const certificates = certificatesIn(text)
  if (certificates.length === 0 || certificates.length !== text.match(BEGIN)?.length)
    return 'must be one or more certificates in PEM (RFC 7468), and nothing else in PEM'
  const broken = certificates.findIndex((certificate) => !isReadable(certificate))
  return broken < 0 ? undefined : `certificate ${broken + 1} of ${certificates.length} cannot be read`
}

/** The certificates of a text. OpenSSL would pass over one that begins within a line. */
export function certificatesIn(text: string): readonly string[] {
  return text.match(CERTIFICATE) ?? []
}

function isReadable(certificate: string): boolean {
  try {
    new X509Certificate(certificate)
    return true
  } catch {
    return false
  }
}
