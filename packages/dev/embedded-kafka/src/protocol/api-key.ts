/** Keys that are needed before a request is read: Produce may be large, ApiVersions may have any version. */
export const PRODUCE_KEY = 0
export const API_VERSIONS_KEY = 18
