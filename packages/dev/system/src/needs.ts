import { type Need, type Variables, variableOf } from './define-system.ts'

/** Options of {@link backingService}. */
export interface BackingServiceOptions extends Pick<Need, 'enabledBy' | 'standIn' | 'compose'> {
  /** Property that says where it is. */
  readonly variable: string
  /** Key of the Secret that says so on a cluster: `kafka/bootstrap-servers`. */
  readonly secret: string
  /** Its variables under `pnpm start`. Default: the address of the stand-in. */
  local?: Need['local']
}

/** A broker or a database. */
export function backingService(name: string, options: BackingServiceOptions): Need {
  const { variable, secret, standIn = '', ...rest } = options
  const [secretName = '', key = ''] = secret.split('/')
  return {
    local: ({ address }) => ({ [variableOf(variable)]: address(standIn) }),
    ...rest,
    ...(standIn !== '' && { standIn }),
    name,
    variables: [variable],
    cluster: { secret: secretName, key },
  }
}

/** Options of {@link remoteService}. */
export interface RemoteServiceOptions {
  /** Variable with its base URL. */
  readonly variable: string
  readonly standIn: string
  /** Path of the base URL of the stand-in. */
  readonly path: string
  /** Base URL of the real one on any cluster, or in production only. */
  readonly url?: string
  readonly production?: string
}

/** An HTTP service of somebody else. */
export function remoteService(name: string, options: RemoteServiceOptions): Need {
  const { variable, standIn, path, url, production } = options
  const at = (host: string): Variables => ({ [variable]: `http://${host}${path}` })
  return {
    name,
    variables: [variable],
    standIn,
    path,
    local: ({ address }) => at(address(standIn)),
    cluster: {
      ...(url !== undefined && { base: { [variable]: url } }),
      development: at(standIn),
      ...(production !== undefined && { production: { [variable]: production } }),
    },
    overHttps: true,
    compose: { value: `http://${standIn}:8080${path}`, after: { [standIn]: 'healthy' } },
  }
}
