import type { TestAuthority } from './certificates.ts'

/** A Kafka broker with TLS and SASL. */
export interface SecuredKafka extends AsyncDisposable {
  /** Address of the port with SASL_SSL: all mechanisms; user `alice`, and any unsecured token. */
  readonly sasl: string
  /** Address of the port with SSL that asks for the client's certificate. */
  readonly mutual: string
  /** Gives the broker another certificate, which it reads without a restart. */
  replaceCertificate(of: TestAuthority): Promise<void>
  /** Gives a user this password for SCRAM-SHA-512; one that is not there is made. */
  setPassword(user: string, password: string): Promise<void>
}

/** Key and certificate of the broker, as Kafka takes them in one file. */
export function serverPem(authority: TestAuthority): string {
  const { key, certificate } = authority.issue({ names: ['localhost'] })
  return `${key}${certificate}`
}
