/** The look of the health page, light or dark as the visitor's system is. */
export const healthPageStyle = `
:root { color-scheme: light dark; --up: light-dark(#1a7f4b, #4cc38a); --down: light-dark(#c62a2f, #ff6369);
  --text: light-dark(#1c2024, #edeef0); --soft: light-dark(#60646c, #a0a4ab); --line: light-dark(#e0e1e6, #2e3135);
  --card: light-dark(#fff, #18191b); --page: light-dark(#f5f6f8, #111113) }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin-bottom: 1.5rem }
h1 { display: flex; align-items: center; gap: .75rem; margin: 0; font-size: 1.6rem; line-height: 1.2 }
h1::before { content: ''; width: 1rem; height: 1rem; border-radius: 50%; background: var(--soft) }
[data-status=UP] h1::before { background: var(--up) } [data-status=DOWN] h1::before { background: var(--down) }
#asked { flex: 1; margin: 0; color: var(--soft); font-size: .85rem }
button { padding: .35rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit;
  font: inherit; font-size: .85rem; cursor: pointer }
button:hover { border-color: var(--soft) } button[aria-pressed=true] { border-color: var(--text); font-weight: 600 }
h2 { margin: 1.75rem 0 .5rem; color: var(--soft); font-size: .8rem; letter-spacing: .06em; text-transform: uppercase }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); align-items: start; gap: .75rem;
  margin: 0; padding: 0; list-style: none }
li { padding: .8rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--up); border-radius: .6rem; background: var(--card) }
li[data-status=DOWN] { border-left-color: var(--down) }
main.down-only li[data-status=UP], section:not(:has(li)), main.down-only section:not(:has(li[data-status=DOWN])) { display: none }
.top { display: flex; justify-content: space-between; gap: 1rem }
.name { font-weight: 600; overflow-wrap: anywhere }
.status { color: var(--up); font-weight: 600; font-size: .85rem } li[data-status=DOWN] .status { color: var(--down) }
.history { display: block; width: 100%; height: 1.1rem; margin: .5rem 0 .1rem }
.history rect { fill: var(--up); opacity: .75 } .history rect.down { fill: var(--down); opacity: 1 }
summary { color: var(--soft); font-size: .8rem; cursor: pointer }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .75rem; margin: .35rem 0 0; font-size: .85rem }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .8rem }
`
