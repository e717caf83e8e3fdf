import { isMap, parseDocument, visit } from 'yaml'
import type { App, Need } from '../app.ts'
import { ofApp } from '../of-app.ts'
import { variableOf } from '../variable-of.ts'
import { PRIVATE_NETWORKS } from './config-maps.ts'

/** Names of variables by the anchor of the mapping that has them. */
export type AnchoredVariables = ReadonlyMap<string, readonly string[]>

/** Those of a compose.yaml. */
export function anchoredVariables(compose: string): AnchoredVariables {
  const found = new Map<string, readonly string[]>()
  visit(parseDocument(compose), {
    Map: (_key, node) => {
      if (node.anchor !== undefined && isMap(node)) {
        found.set(
          node.anchor,
          node.items.map(({ key }) => String(key)),
        )
      }
    },
  })
  return found
}

/** The lines of `environment` of an app: its own variables are those on every cluster, but for those of its needs: decisions 3.119. */
export function environmentOf(
  name: string,
  { needs = [], serves = [], cluster }: App,
  anchored: AnchoredVariables,
): readonly string[] {
  const anchors = [...new Set(needs.flatMap(({ compose: { anchor } }) => anchor ?? []))]
  const merged = anchors.map((anchor) => `*${anchor}`)
  const ofNeeds = [
    ...anchors.flatMap((anchor) => anchored.get(anchor) ?? []),
    ...needs.flatMap((need) => Object.keys(variablesOf(need))),
  ]
  // Who reaches it is the gateway, in a network of Docker's.
  const own = { ...(serves.length > 0 && { HTTP_TRUSTED_PROXIES: PRIVATE_NETWORKS }), ...cluster?.env }
  return [
    ...(merged.length > 0 ? [`<<: ${merged.length === 1 ? merged[0] : `[${merged.join(', ')}]`}`] : []),
    ...Object.entries(own)
      .filter(([variable]) => !ofNeeds.includes(variable))
      .map(([variable, value]) => `${variable}: ${JSON.stringify(value.replaceAll('$', '$$$$'))}`),
    ...needs
      .filter(({ compose: { anchor } }) => anchor === undefined)
      .flatMap((need) => Object.entries(variablesOf(need)).map((entry) => [...entry, need.app ?? name] as const))
      .map(([variable, value, app]) => `${variable}: \${${variable}:-${ofApp(value, app)}}`),
  ]
}

function variablesOf({ variables: [property], compose: { value, others } }: Need): Readonly<Record<string, string>> {
  return { [variableOf(property)]: value, ...others }
}
