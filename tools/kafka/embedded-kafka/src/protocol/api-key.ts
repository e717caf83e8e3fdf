/** Keys that are needed outside of their APIs: Produce may be large, ApiVersions may have any version, SASL comes before all others. */
export const PRODUCE_KEY = 0
export const FETCH_KEY = 1
export const SASL_HANDSHAKE_KEY = 17
export const API_VERSIONS_KEY = 18
export const SASL_AUTHENTICATE_KEY = 36
