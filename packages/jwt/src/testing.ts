export { createDevIssuer, type DevClaims, type DevIssuer, type DevIssuerOptions } from './dev-issuer.ts'
