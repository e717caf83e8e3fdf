import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes certificates here: the test kit's, which makes them too, needs this package itself. */
const OPENSSL = 'openssl'

/** PEM files of a CA, and of keys with certificates that it has issued. */
export interface Certificates {
  readonly ca: string
  /** Makes `name.pem`, key and certificate, of this subject as openssl writes it: `/O=Example/CN=taproom`. */
  issue(name: string, subject: string): { readonly file: string; readonly key: string; readonly certificate: string }
  /** Makes the PKCS12 store `name.p12` with the password `secret`; `args` say what is in it. */
  writeStore(name: string, ...args: readonly string[]): void
}

export function makeCertificates(folder: string): Certificates {
  const openssl = (...args: readonly string[]) => execFileSync(OPENSSL, args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-utf8']
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA', '-days', '1')
  return {
    ca: join(folder, 'ca.pem'),
    issue(name, subject) {
      const extension = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
      const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key']
      openssl(
        'req',
        '-x509',
        ...newKey,
        ...ca,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.crt`,
        '-subj',
        subject,
        '-days',
        '1',
        ...extension,
      )
      const [key, certificate] = [`${name}.key`, `${name}.crt`].map((file) => readFileSync(join(folder, file), 'utf8'))
      const file = join(folder, `${name}.crt`)
      return { file, key: key ?? '', certificate: certificate ?? '' }
    },
    writeStore(name, ...args) {
      openssl('pkcs12', '-export', '-passout', 'pass:secret', '-out', `${name}.p12`, ...args)
    },
  }
}
