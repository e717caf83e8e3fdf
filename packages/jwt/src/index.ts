export { ALGORITHMS, type JwtAlgorithm } from './algorithms.ts'
export type { IntrospectionOptions } from './ask-introspection.ts'
export {
  type AuthenticateOptions,
  authenticate,
  callerOf,
  requireAudience,
  requireRole,
  requireScope,
} from './authenticate.ts'
export type { Caller, JwtClaims } from './claims.ts'
export type { DecryptionAlgorithm } from './decryption-keys.ts'
export { InvalidTokenError, JwtConfigError, JwtError, TokenCheckError, VerifierBusyError } from './errors.ts'
export type { JwtLogger } from './logger.ts'
export { type JwtDefaults, type JwtProperties, readJwt } from './properties/jwt-properties.ts'
export type { PropertyReader } from './properties/property-reader.ts'
export type { ClaimedIdentity, RefusalReason } from './refusal.ts'
export type { Refusal } from './refuse.ts'
export { createJwtVerifier, type JwtVerifier } from './verifier.ts'
export type { IssuerOptions, JwtVerifierOptions } from './verifier-options.ts'
