import type { Need, Variables } from './app.ts'
import { variableOf } from './variable-of.ts'

/** Options of {@link backingService}. In `secret` and in the value of `compose`, `{app}` stands for the name of the app that has the need. */
export interface BackingServiceOptions extends Pick<Need, 'enabledBy' | 'standIn' | 'process' | 'compose' | 'keeps'> {
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
  /** One of the system's stand-ins, everywhere but in production; or the file to run under `pnpm start` alone, from the system's folder. */
  readonly standIn: string | { readonly main: string }
  /** Path of the base URL of the stand-in. */
  readonly path: string
  /** Base URL of the real one on any cluster, or in production only. */
  readonly url?: string
  readonly production?: string
}

/** An HTTP service of somebody else. */
export function remoteService(name: string, options: RemoteServiceOptions): Need {
  const { variable, standIn, path, url, production } = options
  const isListed = typeof standIn === 'string'
  const standInName = isListed ? standIn : `${name}-standin`
  const at = (host: string): Variables => ({ [variable]: `http://${host}${path}` })
  return {
    name,
    variables: [variable],
    standIn: standInName,
    ...(!isListed && { process: standIn }),
    path,
    local: ({ address }) => at(address(standInName)),
    cluster: {
      ...(url !== undefined && { base: { [variable]: url } }),
      development: isListed ? at(standIn) : {},
      ...(production !== undefined && { production: { [variable]: production } }),
    },
    overHttps: isListed ? true : 'everywhere',
    compose: isListed
      ? { value: `http://${standIn}:8080${path}`, after: { [standIn]: 'healthy' } }
      : { value: url ?? production ?? '', after: {} },
  }
}
