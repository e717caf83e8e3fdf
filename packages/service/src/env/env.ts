import { ConfigError } from './config-error.ts'
import { createReader, type Env, type EnvReader } from './env-reader.ts'

/**
 * Builds a configuration from variables and returns it deeply frozen. An unset or empty variable takes its default; a
 * present but invalid one never does.
 * A name may be a MicroProfile property: `mp.jwt.verify.issuer` is looked up as it is, then as `mp_jwt_verify_issuer`, then as
 * `MP_JWT_VERIFY_ISSUER` (MicroProfile Config 3, environment variables mapping rules).
 *
 * @throws {ConfigError} when variables are missing or invalid, naming all of them
 */
export function parseEnv<T>(env: Env, build: (read: EnvReader) => T): T {
  const problems: string[] = []
  let config: T
  try {
    config = build(createReader(env, problems))
  } catch (error) {
    if (problems.length > 0) throw new ConfigError(problems)
    throw error
  }
  // A variable that is read twice is reported once.
  if (problems.length > 0) throw new ConfigError([...new Set(problems)])
  return deepFreeze(config)
}

function deepFreeze<T>(value: T): T {
  if (Array.isArray(value) || isPlainObject(value)) {
    for (const member of Object.values(value as object)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
