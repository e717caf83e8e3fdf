import { type Env, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'

export interface StandinConfig extends KernelConfig {
  /** `STANDIN_CONTROL_ENABLED`: whether programs of this machine can have it go wrong. */
  readonly hasControl: boolean
  /** `FILM_STANDIN_DATA` or `BEER_STANDIN_DATA`: file with the records to answer; unset means the shipped catalogue. */
  readonly data: { readonly variable: string; readonly path: string | undefined }
}

/** Gives the reader of a stand-in's configuration, which throws a ConfigError that names all variables that are invalid. */
export function readStandinConfig(variable: string): (env: Env) => StandinConfig {
  return (env) =>
    parseEnv(env, (read) => ({
      ...kernelConfig(read),
      hasControl: read.boolean('STANDIN_CONTROL_ENABLED', { default: false }),
      data: { variable, path: read.optionalString(variable) },
    }))
}
