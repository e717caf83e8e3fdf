import { isContainerVariable } from '@taproom/processes/container-variable'

const EXPORTER = /^OTEL_EXPORTER_/
const ENDPOINT = /^OTEL_EXPORTER_.*ENDPOINT$/

/**
 * The variables of a process: the platform's and, on top, the container's. Who exports to an endpoint of its own gets none of the platform's
 * settings of exporters: headers may hold a key, which is not for that endpoint.
 */
export function processVariables(
  platform: Readonly<Record<string, string>>,
  container: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own = containerVariables(container)
  const hasEndpoint = Object.keys(own).some((name) => ENDPOINT.test(name))
  const base = Object.entries(platform).filter(([name]) => !hasEndpoint || !EXPORTER.test(name))
  return { ...Object.fromEntries(base), ...own }
}

/** The allowed variables; checked again before a start, however the container was admitted. */
function containerVariables(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isContainerVariable(name)))
}
