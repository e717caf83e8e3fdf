/** The look of the health page, light or dark as the visitor's system is. State is told by word and sign, not by colour alone. */
export const healthPageStyle = `
:root { color-scheme: light dark; --up: light-dark(#1a7f4b, #4cc38a); --down: light-dark(#c62a2f, #ff7b80);
  --text: light-dark(#1c2024, #edeef0); --soft: light-dark(#5c6068, #a6abb3); --line: light-dark(#e3e5ea, #2b2e33);
  --card: light-dark(#fff, #18191b); --page: light-dark(#f4f5f8, #101112);
  --upTint: light-dark(#e9f6ef, #12261c); --downTint: light-dark(#fdf0f0, #2b1516) }
*, ::before, ::after { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.45 system-ui, sans-serif }
main { max-width: 84rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem }
main > header { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; margin-bottom: 1.25rem }
.headline { flex: 1 1 18rem }
h1 { display: flex; align-items: center; gap: .75rem; margin: 0; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.01em }
h1::before { content: ''; flex: none; width: 1rem; height: 1rem; border-radius: 50%; background: var(--soft) }
[data-status=UP] h1::before { background: var(--up) } [data-status=DOWN] h1::before { background: var(--down) }
#asked { margin: .3rem 0 0 1.75rem; color: var(--soft); font-size: .85rem; font-variant-numeric: tabular-nums }
button { margin-right: .35rem; padding: .45rem .9rem; border: 1px solid var(--line); border-radius: .55rem; background: var(--card); color: inherit;
  font: inherit; font-size: .85rem; cursor: pointer }
button:hover { border-color: var(--soft) } button[aria-pressed=true] { border-color: var(--text); background: var(--text); color: var(--page) }
:focus-visible { outline: 2px solid light-dark(#2463eb, #7aa5ff); outline-offset: 2px }
#cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); align-items: start; gap: 1rem; margin-bottom: 1rem }
#cards.stale { opacity: .45 }
.card, #changes { border: 1px solid var(--line); border-radius: .8rem; background: var(--card); overflow: hidden }
.card { container-type: inline-size }
.card[data-status=DOWN] { border-color: var(--down) }
.card header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .8rem 1rem .55rem }
h2 { margin: 0; font-size: 1.05rem; line-height: 1.3; overflow-wrap: anywhere }
.status { flex: none; color: var(--up); font-size: .75rem; font-weight: 700; letter-spacing: .03em; white-space: nowrap }
.status::before { content: '✓ ' / '' } .status[data-status=DOWN]::before { content: '✕ ' / '' }
.status[data-status=DOWN] { color: var(--down) }
.card > header > .status { padding: .15rem .55rem; border-radius: 1rem; background: var(--upTint) }
.card[data-status=DOWN] > header > .status { background: var(--downTint) }
.timeline { display: block; flex: none; border-radius: 2px; background: var(--line); overflow: hidden }
.timeline rect { fill: var(--up) } .timeline rect.down { fill: var(--down) }
.card > .timeline { width: calc(100% - 2rem); height: .4rem; margin: 0 1rem .55rem }
.note { margin: 0; padding: .1rem 1rem .8rem; color: var(--down); font-size: .9rem } .note:empty { display: none }
ul, ol { margin: 0; padding: 0; list-style: none }
li { border-top: 1px solid var(--line) } li[data-status=DOWN] { background: var(--downTint) }
.row { display: flex; align-items: center; gap: .25rem .7rem; padding: .45rem 1rem }
.row > .status { width: 3.9rem }
.row > .timeline { width: 4.5rem; height: .5rem }
.row::after { content: '' / ''; flex: none; width: .6rem; height: .6rem }
summary.row::after { border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg) scale(.75) }
[open] > summary.row::after { transform: rotate(45deg) scale(.75) }
.what { flex: 1; min-width: 0; line-height: 1.3 }
.name { display: block; font-size: .93rem; font-weight: 550; overflow-wrap: anywhere }
.kind, .ago { color: var(--soft); font-size: .78rem; white-space: nowrap } .ago:not(:empty)::before { content: '· ' / '' }
.ago { color: var(--down) }
summary { list-style: none; cursor: pointer } summary::-webkit-details-marker { display: none }
summary:hover .name { text-decoration: underline; text-underline-offset: .2em } summary:focus-visible { outline-offset: -2px }
dl { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: .15rem .9rem; margin: 0; padding: 0 2.25rem .7rem 5.6rem; font-size: .8rem }
dt { color: var(--soft); overflow-wrap: anywhere } dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace }
@container (max-width: 24rem) {
  .row { display: grid; grid-template-columns: auto 1fr auto } .row > .status { width: auto }
  .row > .timeline { grid-row: 2; grid-column: 1 / -1; width: 100%; height: .3rem } dl { padding: 0 1rem .7rem }
}
main.down-only .card[data-status=UP], main.down-only .card li[data-status=UP] { display: none }
#changes { padding: .8rem 0 0 } #changes h2 { padding: 0 1rem .6rem }
.change { display: flex; flex-wrap: wrap; gap: .1rem .9rem; padding: .4rem 1rem; font-size: .88rem }
.change time { color: var(--soft); font-variant-numeric: tabular-nums } .change .status { width: 4rem; align-self: center }
.change span:last-child { overflow-wrap: anywhere }
.hint { margin: 1rem 0 0; color: var(--soft); font-size: .8rem }
@media (max-width: 30rem) { main { padding: 1.1rem .75rem 3rem } h1 { font-size: 1.35rem } }
`
