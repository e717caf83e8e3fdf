export interface NodeProgram {
  readonly name: string
  /** Text of a CommonJS module. */
  readonly program: string
  /** At which it listens. */
  readonly port: number
  /** Of its pods, beside the one by which they are found. */
  readonly labels?: Readonly<Record<string, string>>
  /** Sources of volumes, by where they are mounted. */
  readonly volumes?: Readonly<Record<string, object>>
}

/** The label by which the pods of a program, and nothing else, are found. */
export const labelsOf = (name: string) => ({ 'app.kubernetes.io/name': name })

/** The Deployment of a small program for Node, in an image that is there already. */
export function nodeProgram({ name, program, port, labels: more = {}, volumes = {} }: NodeProgram): object {
  const labels = labelsOf(name)
  const mounted = Object.entries(volumes).map(([mountPath, source], index) => ({
    mountPath,
    source,
    name: `v${index}`,
  }))
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...more } },
        spec: {
          terminationGracePeriodSeconds: 1,
          securityContext: {
            runAsNonRoot: true,
            seccompProfile: { type: 'RuntimeDefault' },
            // 443 as any other port.
            sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }],
          },
          containers: [
            {
              name,
              image: 'claim-api:development',
              command: ['node', '-e', program],
              readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              volumeMounts: mounted.map(({ mountPath, name: volume }) => ({ mountPath, name: volume })),
            },
          ],
          volumes: mounted.map(({ name: volume, source }) => ({ name: volume, ...source })),
        },
      },
    },
  }
}

/** A Service, of this name or another, at another port or the same, for the pods of a program. */
export function serviceOf({ name: program, port: targetPort }: NodeProgram, name: string, port: number): object {
  const metadata = { name, labels: labelsOf(program) }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: labelsOf(program), ports: [{ port, targetPort }] },
  }
}

/** For `kubectl apply`. */
export const listOf = (items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
