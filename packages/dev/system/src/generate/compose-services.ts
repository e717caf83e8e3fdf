import { type App, type System, variableOf } from '../define-system.ts'

const CONDITIONS = { healthy: 'service_healthy', done: 'service_completed_successfully' } as const

/** The apps with paths at the base URL. */
export function servedApps({ apps }: System): string[] {
  return Object.entries(apps).flatMap(([name, { serves = [] }]) => (serves.length > 0 ? name : []))
}

/** The services of deploy/compose.yaml for the apps that the hand-written part of the file does not have. */
export function composeServices({ apps }: System, handWritten: string): string[] {
  return Object.entries(apps)
    .filter(([name]) => !new RegExp(`^  ${name}:$`, 'm').test(handWritten))
    .map(([name, app]) => composeService(name, app))
}

function composeService(name: string, { needs = [] }: App): string {
  const environment = needs.map(({ variables: [property], compose }) => {
    if (compose.anchor !== undefined) return `    <<: *${compose.anchor}`
    const variable = variableOf(property)
    return `    ${variable}: \${${variable}:-${compose.value}}`
  })
  const after = Object.entries(Object.assign({}, ...needs.map(({ compose }) => compose.after))).map(
    ([service, state]) => `    ${service}: { condition: ${CONDITIONS[state as keyof typeof CONDITIONS]} }`,
  )
  return [
    `${name}:`,
    '  <<: *service',
    `  image: ${name}:development`,
    ...(environment.length > 0 ? ['  environment:', ...environment] : []),
    ...(after.length > 0 ? ['  depends_on:', ...after] : []),
    '',
  ].join('\n')
}
