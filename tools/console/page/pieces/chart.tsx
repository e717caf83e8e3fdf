import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { clock } from './format.ts'
import { isolatedSamples } from './isolated-samples.ts'
import { isDark } from './media.ts'
import { theme } from './theme.ts'

export interface ChartLine {
  readonly label: string
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
}

interface ChartProps {
  readonly title: string
  readonly lines: readonly ChartLine[]
  readonly format: (value: number) => string
  /** Times of the axis, in milliseconds since 1970. */
  readonly from?: number
  readonly to?: number
  readonly height?: number
  /** Charts of one group move their cursors together. */
  readonly group?: string
}

/** Curves over time, with the values under the cursor, or the last ones, as a list. */
export function Chart({ title, lines, format, from, to, height = 150, group }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<UPlot>(undefined)
  const cursor = useSignal<number | null>(null)
  const range = useRef({ from, to })
  range.current = { from, to }
  const data = dataOf(lines)
  const shape = `${theme.value} ${isDark.value}\n${lines.map(({ label }) => label).join('\n')}`

  const isSeen = useIsSeen(place)
  useEffect(() => {
    const element = place.current
    if (element === null || !isSeen) return
    const options = optionsOf({
      element,
      lines,
      format,
      height,
      range,
      cursor,
      group,
    })
    const made = new UPlot(options, data, element)
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      chart.current = undefined
    }
  }, [shape, height, isSeen])
  useEffect(() => {
    chart.current?.setData(data)
  }, [lines, from, to])

  const at = cursor.value
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={place} style={{ minHeight: `${height}px` }} aria-hidden="true" />
      <ul class="chart-lines">
        {lines.map(({ label, values }, index) => {
          const value = at === null ? values.findLast((one) => one !== null) : data[index + 1]?.[at]
          return (
            <li key={label}>
              {label} <strong>{typeof value === 'number' ? format(value) : '–'}</strong>
            </li>
          )
        })}
      </ul>
    </figure>
  )
}

/** Charts are drawn only where they are in sight: there may be a hundred. */
function useIsSeen(place: { readonly current: Element | null }): boolean {
  const isSeen = useSignal(false)
  useEffect(() => {
    if (place.current === null) return
    const observer = new IntersectionObserver((entries) => {
      isSeen.value = entries.at(-1)?.isIntersecting === true
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return isSeen.value
}

function dataOf(lines: readonly ChartLine[]): UPlot.AlignedData {
  if (lines.length === 0) return [[]]
  return UPlot.join(
    lines.map(({ times, values }): UPlot.AlignedData => [times.map((time) => time / 1000), [...values]]),
  )
}

interface Plan extends Pick<ChartProps, 'lines' | 'format'> {
  readonly group: string | undefined
  readonly element: HTMLElement
  readonly height: number
  readonly range: { readonly current: { readonly from: number | undefined; readonly to: number | undefined } }
  readonly cursor: { value: number | null }
}

function optionsOf({ element, lines, format, height, range, cursor, group }: Plan): UPlot.Options {
  const style = getComputedStyle(element)
  const names = [...(element.parentElement?.querySelectorAll('.chart-lines li') ?? [])]
  const axis = {
    stroke: style.color,
    font: '11px system-ui',
    grid: { stroke: style.borderColor, width: 1 },
    ticks: { show: false },
  }
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, ...(group === undefined ? {} : { sync: { key: group } }) },
    padding: [8, 6, 0, 0],
    scales: {
      x: {
        range: (_chart, low, high) => {
          const { from, to } = range.current
          return [from === undefined ? low : from / 1000, to === undefined ? high : to / 1000]
        },
      },
      y: { range: (_chart, low, high) => [Math.min(0, low ?? 0), (high || 1) * 1.1] },
    },
    axes: [
      { ...axis, size: 26, space: 80, values: (_chart, ticks) => timesOf(ticks) },
      { ...axis, size: 58, space: 28, values: (_chart, ticks) => ticks.map((tick) => format(tick)) },
    ],
    series: [
      {},
      ...lines.map((_line, index) => ({
        stroke: colourOf(names[index]) ?? style.color,
        width: 1.5,
        spanGaps: false,
        points: {
          size: 4,
          filter: ({ data }: UPlot, line: number, hasRoom: boolean) =>
            hasRoom ? null : isolatedSamples(data[line] ?? []),
        },
      })),
    ],
    hooks: {
      setCursor: [
        (chart) => {
          cursor.value = chart.cursor.idx ?? null
        },
      ],
    },
  }
}

/** The colour of a line's mark in the list: a canvas cannot read variables of style sheets. */
function colourOf(name: Element | undefined): string | undefined {
  return name === undefined ? undefined : getComputedStyle(name, '::before').backgroundColor
}

function timesOf(ticks: readonly number[]): string[] {
  const isFine = ticks.some((tick) => tick % 60 !== 0)
  return ticks.map((tick) => clock(tick * 1000).slice(0, isFine ? 8 : 5))
}
