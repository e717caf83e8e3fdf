import { createAuthority } from '@taproom/testkit'

const DAY_MS = 86_400_000
/** One for all, because its key takes long to make. */
const authority = createAuthority()

/** A certificate of localhost with that of its issuer, and its key. Valid for so many days from now. */
export function createCertificate({
  days = 30,
  passphrase = '',
  ...key
}: {
  readonly days?: number
  readonly passphrase?: string
  readonly modulusBits?: number
} = {}) {
  const names = ['localhost', '127.0.0.1']
  const issued = authority.issue({ names, expiresAt: new Date(Date.now() + days * DAY_MS), ...key })
  return {
    cert: `${issued.certificate}${authority.certificate}`,
    key: passphrase === '' ? issued.key : issued.keyEncryptedWith(passphrase),
  }
}
