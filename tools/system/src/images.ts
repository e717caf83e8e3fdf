import type { System } from './define-system.ts'

export interface ImageDescription {
  readonly name: string
  /** Names of workspaces without their scope; the first is what the container runs without arguments. */
  readonly apps: readonly string[]
}

/** The images of a system: one for each app of its own, and those that hold several. */
export function imagesOf({ apps, images }: System): ImageDescription[] {
  const alone = Object.entries(apps).filter(([app, { main }]) => main === undefined && images[app] === undefined)
  return [
    ...alone.map(([app]) => ({ name: app, apps: [app] })),
    ...Object.entries(images).map(([name, workspaces]) => ({ name, apps: workspaces })),
  ]
}
