import { PLOT_HEIGHT, type Plot } from './scatter-plot.ts'

const RADIUS = 4

/** Draws the plot in the colours of the canvas's style: a canvas knows no variables of style sheets. */
export function drawScatter(canvas: HTMLCanvasElement, { width, left, dots, durations, times }: Plot): void {
  const pen = canvas.getContext('2d')
  if (pen === null) return
  const style = getComputedStyle(canvas)
  canvas.width = width * devicePixelRatio
  canvas.height = PLOT_HEIGHT * devicePixelRatio
  pen.scale(devicePixelRatio, devicePixelRatio)
  pen.font = `12px ${style.fontFamily}`
  pen.fillStyle = style.textDecorationColor
  pen.strokeStyle = style.borderTopColor
  pen.textAlign = 'right'
  for (const { at, text } of durations) {
    pen.fillText(text, left - 8, at + 4)
    pen.beginPath()
    pen.moveTo(left, at)
    pen.lineTo(width, at)
    pen.stroke()
  }
  const [first, last] = times
  pen.fillText(last.text, last.at, PLOT_HEIGHT - 5)
  pen.textAlign = 'left'
  pen.fillText(first.text, first.at, PLOT_HEIGHT - 5)
  for (const isFailed of [false, true]) {
    pen.fillStyle = isFailed ? style.caretColor : style.color
    pen.globalAlpha = isFailed ? 0.85 : 0.55
    for (const { trace, x, y } of dots) {
      if (trace.errors > 0 !== isFailed) continue
      pen.beginPath()
      pen.arc(x, y, RADIUS, 0, 2 * Math.PI)
      pen.fill()
    }
  }
}
