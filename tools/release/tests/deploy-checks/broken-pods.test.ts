import { beforeAll, describe, expect, it } from 'vitest'
import { allProblems, type Change, CONTAINER, problemsAfter } from './changed-overlay.ts'
import { isRendering, overlay } from './rendered.ts'

describe('the check of pods and their variables', { tags: 'kustomize', skip: !isRendering }, () => {
  beforeAll(async () => {
    expect(await allProblems('production', await overlay('production'))).toEqual([])
  })

  it.each<[problem: string, Change, found: RegExp]>([
    [
      'root',
      { of: 'Deployment claim-api', at: 'spec.template.spec.securityContext.runAsNonRoot', to: false },
      /may run as root/,
    ],
    [
      'user 0',
      { of: 'Job movie-api', at: 'spec.template.spec.securityContext.runAsUser', to: 0 },
      /no user of its own/,
    ],
    [
      'no seccomp profile',
      { of: 'Deployment movie-api', at: 'spec.template.spec.securityContext.seccompProfile', to: undefined },
      /seccomp/,
    ],
    [
      'a writable image',
      { of: 'Deployment movie-api', at: `${CONTAINER}.securityContext.readOnlyRootFilesystem`, to: false },
      /may write to its image/,
    ],
    [
      'kept capabilities',
      { of: 'Deployment movie-api', at: `${CONTAINER}.securityContext.capabilities.drop`, to: ['NET_RAW'] },
      /keeps capabilities/,
    ],
    [
      'an added capability',
      { of: 'Deployment movie-api', at: `${CONTAINER}.securityContext.capabilities.add`, to: ['NET_RAW'] },
      /keeps capabilities/,
    ],
    [
      'privilege escalation',
      { of: 'Deployment movie-api', at: `${CONTAINER}.securityContext.allowPrivilegeEscalation`, to: true },
      /may gain privileges/,
    ],
    [
      'a privileged container',
      { of: 'Deployment movie-api', at: `${CONTAINER}.securityContext.privileged`, to: true },
      /is privileged/,
    ],
    [
      "the node's network",
      { of: 'Deployment movie-api', at: 'spec.template.spec.hostNetwork', to: true },
      /is privileged/,
    ],
    [
      'changed permissions of its files',
      { of: 'Deployment movie-api', at: 'spec.template.spec.securityContext.fsGroup', to: 1000 },
      /permissions of its files changed/,
    ],
    [
      'a folder of the node',
      { of: 'Deployment movie-api', at: 'spec.template.spec.volumes', to: [{ name: 'a', hostPath: { path: '/' } }] },
      /folder of the node/,
    ],
    [
      'a token',
      { of: 'Deployment movie-api', at: 'spec.template.spec.automountServiceAccountToken', to: true },
      /token/,
    ],
    [
      'variables of Services',
      { of: 'Deployment movie-api', at: 'spec.template.spec.enableServiceLinks', to: undefined },
      /a variable for every Service/,
    ],
    [
      'no limit',
      { of: 'Deployment beer-stream', at: `${CONTAINER}.resources.limits.memory`, to: undefined },
      /no limit of memory/,
    ],
    [
      'no request',
      { of: 'Deployment beer-stream', at: `${CONTAINER}.resources.requests.cpu`, to: undefined },
      /requests no cpu/,
    ],
    [
      'a limit below the request',
      { of: 'Deployment beer-stream', at: `${CONTAINER}.resources.limits.memory`, to: '200Mi' },
      /requests more memory/,
    ],
    [
      'the tag latest',
      { of: 'Deployment claim-api', at: `${CONTAINER}.image`, to: 'registry.example.com/taproom/claim-api:latest' },
      /any version/,
    ],
    [
      'no tag',
      { of: 'Deployment claim-api', at: `${CONTAINER}.image`, to: 'registry.example.com:5000/taproom/claim-api' },
      /any version/,
    ],
    [
      'an image that is no app',
      { of: 'Deployment claim-api', at: `${CONTAINER}.image`, to: 'registry.example.com/claims-api:1' },
      /none of the images/,
    ],
    [
      'a probe of a path that is not there',
      { of: 'Deployment claim-api', at: `${CONTAINER}.readinessProbe.httpGet.path`, to: '/health/ready' },
      /readinessProbe asks \/health\/ready, not \/q\/health\/ready/,
    ],
    [
      'liveness by readiness',
      { of: 'Deployment claim-api', at: `${CONTAINER}.livenessProbe.httpGet.path`, to: '/q/health/ready' },
      /livenessProbe asks/,
    ],
    [
      'no startup probe',
      { of: 'Deployment claim-api', at: `${CONTAINER}.startupProbe`, to: undefined },
      /has no startupProbe/,
    ],
    [
      'a probe of another port',
      { of: 'Deployment claim-api', at: `${CONTAINER}.livenessProbe.httpGet.port`, to: 'admin' },
      /asks port admin/,
    ],
    [
      'a probe of the port that has no health',
      { of: 'Deployment claim-api', at: `${CONTAINER}.livenessProbe.httpGet.port`, to: 'http' },
      /its livenessProbe asks port 8080, but health is at 9000/,
    ],
    [
      'no management port in the variables',
      { of: 'ConfigMap claim-api', at: 'data.MANAGEMENT_PORT', to: undefined },
      /its livenessProbe asks port 9000, but health is at 8080/,
    ],
    [
      'no management port of the container',
      { of: 'Deployment claim-api', at: `${CONTAINER}.ports`, to: [{ name: 'http', containerPort: 8080 }] },
      /its app listens on http 8080,management 9000, not on http 8080/,
    ],
    [
      'a Prometheus that is sent elsewhere',
      { of: 'Deployment claim-api', at: 'spec.template.metadata.annotations.prometheus~io/port', to: '8080' },
      /prometheus.io\/port is 8080, not 9000/,
    ],
    [
      'another port than the app listens on',
      { of: 'Deployment claim-api', at: `${CONTAINER}.ports.0.containerPort`, to: 9090 },
      /its app listens on http 8080,management 9000, not on http 9090,management 9000/,
    ],
    [
      'another health root in the variables',
      { of: 'ConfigMap claim-api', at: 'data.HEALTH_ROOT_PATH', to: '/health' },
      /asks \/q\/health\/live, not \/health\/live/,
    ],
    [
      'another port in the variables',
      { of: 'ConfigMap claim-api', at: 'data.PORT', to: '9090' },
      /its app listens on http 9090,management 9000, not on http 8080,management 9000/,
    ],
    [
      'a longer grace in the variables',
      { of: 'ConfigMap claim-api', at: 'data.SHUTDOWN_GRACE_MS', to: '30000' },
      /is killed after 20 s, but may need 37 s/,
    ],
    [
      'no pause before the end',
      { of: 'Deployment claim-api', at: `${CONTAINER}.lifecycle`, to: undefined },
      /ends at once/,
    ],
    [
      'a variable that the app does not read',
      { of: 'ConfigMap movie-api', at: 'data.FILM_RETRIES', to: '3' },
      /movie-api does not read FILM_RETRIES/,
    ],
    [
      'a value that the app refuses',
      { of: 'ConfigMap movie-api', at: 'data.LOG_LEVEL', to: 'loud' },
      /LOG_LEVEL="loud": expected one of/,
    ],
    [
      'a variable that the app needs and has not',
      { of: 'ConfigMap beer-stream', at: 'data.BEER_SERVICE_URL', to: undefined },
      /BEER_SERVICE_URL is not set/,
    ],
    [
      'a ConfigMap that is not there',
      { of: 'Deployment movie-api', at: `${CONTAINER}.envFrom.0.configMapRef.name`, to: 'movie-api' },
      /ConfigMap movie-api of envFrom does not exist/,
    ],
    [
      'an unknown secret',
      { of: 'Deployment movie-api', at: `${CONTAINER}.env.0.valueFrom.secretKeyRef.key`, to: 'uri' },
      /an unknown secret: movie-api-database\/uri/,
    ],
  ])('finds %s', async (_problem, change, found) => {
    expect(await problemsAfter('production', change)).toContainEqual(expect.stringMatching(found))
  })
})
