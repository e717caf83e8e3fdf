/** No npm package: it is taken from the machine. Tests that need it have the tag `kubectl`; resource-api.test.ts covers the API without it. */
export const KUBECTL = 'kubectl'
