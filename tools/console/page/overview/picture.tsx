import type { Overview, PictureEdge, PictureNode } from '../../src/api/system.ts'
import { nodeAddress } from '../node-address.ts'
import { guardClass, labelOf, tellEdge } from './edge-text.ts'
import { GAP, type Layout, NODE_HEIGHT, type Point } from './layout.ts'
import { cut, lettersIn, linesOf } from './node-text.ts'

const ICONS: Readonly<Record<PictureNode['kind'], string>> = {
  outside: 'M8 8a2.6 2.6 0 1 0-.1 0zM3 14c.5-6 9.5-6 10 0',
  gateway: 'M2 8h9M8 4.5l3.5 3.5-3.5 3.5M14 2.5v11',
  service: 'M8 2l5.2 3v6L8 14l-5.2-3V5z',
  topic: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  kafka:
    'M8 6a2 2 0 1 0-.1 0zM8 14a2 2 0 1 0-.1 0zM13.5 10a2 2 0 1 0-.1 0zM3 10a2 2 0 1 0-.1 0zM8 6v4M5 9.5l2-2M11.5 9.5l-2-2',
  broker: 'M8 2v12M2 8h12M3.8 3.8l8.400 8.400M12.2 3.8l-8.400 8.400',
  trigger: 'M2.5 3h11l-4.2 5v5l-2.6-1.5V8z',
  sink: 'M8 2v7M5 6.5L8 9.5l3-3M2.5 9.5v4h11v-4',
  remote: 'M4.5 12.5a3 3 0 0 1 0-6 4 4 0 0 1 7.5-.5 3.2 3.2 0 0 1 0 6.5z',
  database: 'M3 4c0-2.5 10-2.5 10 0v8c0 2.5-10 2.5-10 0zM3 4c0 2.5 10 2.5 10 0M3 8c0 2.5 10 2.5 10 0',
}

const KIND_NAMES: Partial<Record<PictureNode['kind'], string>> = { outside: 'callers', remote: 'remote service' }

/** Text of the picture on the screen, in pixels, however small the picture is. */
const TEXT_PX = 12
/** Smaller pictures have no text: it would be larger than the nodes. */
const TEXT_FROM_SCALE = 0.6
const BESIDE_ICON = 28

interface PictureProps {
  readonly overview: Overview
  readonly drawn: Layout<PictureEdge>
  readonly scale: number
}

/** The system as it is now: nodes in the colour of their health, edges that move while something goes over them. */
export function Picture({ overview: { nodes, edges }, drawn, scale }: PictureProps) {
  const now = new Map(edges.map((edge) => [edgeKey(edge), edge]))
  const textSize = TEXT_PX * Math.max(1, 1 / scale)
  const classes = [
    'picture',
    edges.some((edge) => edge.rate > 0) && 'moves',
    scale < TEXT_FROM_SCALE && 'without-text',
  ].filter((name) => name !== false)
  const routes = drawn.routes.map(({ edge, points }) => ({ edge: now.get(edgeKey(edge)) ?? edge, points }))
  // A breaker's state is longer than the way between two boxes: it stands over them.
  const guarded = routes.filter(({ edge }) => guardClass(edge) !== '')
  const calm = routes.filter(({ edge }) => guardClass(edge) === '')
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the section around it has its name, a title would be a tooltip everywhere
    <svg
      class={classes.join(' ')}
      viewBox={`0 0 ${drawn.width} ${drawn.height}`}
      style={{ width: `${Math.floor(drawn.width * scale)}px`, fontSize: `${textSize}px` }}
    >
      {routes.map(({ edge, points }) => (
        <Edge key={edgeKey(edge)} edge={edge} points={points} />
      ))}
      {calm.map(({ edge, points }) => (
        <Label key={edgeKey(edge)} edge={edge} points={points} textSize={textSize} />
      ))}
      {nodes.map((node) => (
        <Node
          key={node.id}
          node={node}
          place={drawn.places.get(node.id) ?? { x: 0, y: 0 }}
          width={drawn.nodeWidth}
          textSize={textSize}
        />
      ))}
      {guarded.map(({ edge, points }) => (
        <Label key={edgeKey(edge)} edge={edge} points={points} textSize={textSize} />
      ))}
    </svg>
  )
}

export function edgeKey({ from, to, kind }: PictureEdge): string {
  return `${from} ${to} ${kind}`
}

interface NodeProps {
  readonly node: PictureNode
  readonly place: Point
  readonly width: number
  readonly textSize: number
}

/** Letters of a reason that are worth their place. */
const LEAST_REASON = 12

function Node({ node, place, width, textSize }: NodeProps) {
  const { kind, name, state, reason, instances = 0 } = node
  const kindName = KIND_NAMES[kind] ?? kind
  const more = reason ?? (state === 'asleep' ? 'asleep' : instances > 1 ? `${instances} instances` : undefined)
  const textsFrom = (from: number) => {
    const space = width - from - 4
    const letters = lettersIn(space, textSize, 'bold')
    // A reason or a state needs the second line more than a long name does.
    const names = more === undefined ? linesOf(name, letters) : [cut(name, letters)]
    const room = lettersIn(space, textSize)
    // The first letters of a reason say less than the state.
    const isWhole = more === undefined || more.length <= room || room >= LEAST_REASON
    const second = names.length > 1 ? '' : cut(isWhole ? (more ?? kindName) : state, room)
    return { names, second, isCut: [...names, second].some((text) => text.includes('…')) }
  }
  // Texts that are cut off beside the icon need its place.
  const hasIcon = textSize === TEXT_PX && !textsFrom(BESIDE_ICON).isCut
  const left = hasIcon ? BESIDE_ICON : 10
  const { names, second, isCut } = textsFrom(left)
  // For screen readers: a whole name, what is seen, and what colours and shapes say.
  const seen = [names.join(''), second].filter(Boolean).join(' ')
  const unseen = [second === kindName ? '' : kindName, state, reason].filter(Boolean).join(', ')
  const label = `${isCut ? `${name}, ` : ''}${seen} ${unseen}`
  return (
    <g class={`node ${state} ${kind}`} transform={`translate(${place.x - width / 2} ${place.y - NODE_HEIGHT / 2})`}>
      <title>{[name, state, reason].filter(Boolean).join(' · ')}</title>
      <a href={nodeAddress(node)} aria-label={label}>
        <rect class="box" width={width} height={NODE_HEIGHT} rx="7" />
        <rect class="health" width="4" height={NODE_HEIGHT - 16} x="0" y="8" rx="2" />
        {hasIcon && <path class="icon" d={ICONS[kind]} transform="translate(9 8)" />}
        <text class="name">
          {names.map((line, index) => (
            <tspan key={index} x={left} y={baseline(index, textSize)}>
              {line}
            </tspan>
          ))}
        </text>{' '}
        <text class="second" x={left} y={baseline(1, textSize)}>
          {second}
        </text>
      </a>
    </g>
  )
}

/** The baseline of the first or the second line in a node. */
function baseline(index: number, textSize: number): number {
  return NODE_HEIGHT / 2 + textSize * (index === 0 ? -0.27 : 0.98)
}

function Edge({ edge, points }: { edge: PictureEdge; points: readonly Point[] }) {
  const path = pathOf(points)
  const pace =
    edge.rate === 0 || edge.state === 'cut' ? '' : edge.rate < 1 ? 'slow' : edge.rate < 20 ? 'steady' : 'fast'
  return (
    <g class={['edge', edge.kind, edge.state, guardClass(edge)].filter(Boolean).join(' ')}>
      <title>{tellEdge(edge)}</title>
      <path class="line" d={path} />
      {pace !== '' && <path class={`flow ${pace}`} d={path} />}
      <path class="tip" d={tipOf(points)} />
    </g>
  )
}

interface LabelProps {
  readonly edge: PictureEdge
  readonly points: readonly Point[]
  readonly textSize: number
}

/** Over all edges, so that none runs through it; what does not fit between two nodes is in the title of the edge alone. */
function Label({ edge, points, textSize }: LabelProps) {
  const at = middleOf(points)
  const most = lettersIn(GAP, textSize)
  return (
    <g class={`label ${edge.state} ${guardClass(edge)} ${edge.lag?.isGrowing === true ? 'lagging' : ''}`}>
      {labelOf(edge)
        .filter((text) => text.length <= most || guardClass(edge) !== '')
        .map((text, index) => (
          <text
            key={text}
            class={index === 0 ? 'rate' : 'more'}
            x={at.x}
            y={at.y - 4 + index * textSize}
            text-anchor="middle"
          >
            {text}
          </text>
        ))}
    </g>
  )
}

function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let { x, y } = first
  const curves = rest.map((to) => {
    const bend = (to.x - x) / 2
    const curve = to.y === y ? `L${to.x} ${to.y}` : `C${x + bend} ${y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`
    x = to.x
    y = to.y
    return curve
  })
  return `M${first.x} ${first.y}${curves.join('')}`
}

/** The head of the arrow, along its last bit. */
function tipOf(points: readonly Point[]): string {
  const end = points.at(-1) ?? { x: 0, y: 0 }
  const back = (points.at(-2)?.x ?? 0) < end.x ? -6 : 6
  return `M${end.x + back} ${end.y - 4}L${end.x} ${end.y}L${end.x + back} ${end.y + 4}`
}

function middleOf(points: readonly Point[]): Point {
  const at = Math.max(1, Math.ceil((points.length - 1) / 2))
  const from = points[at - 1] ?? { x: 0, y: 0 }
  const to = points[at] ?? from
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
}
