import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { SystemView } from '../../src/api/system.ts'
import { address, href } from '../address.ts'
import { usePolled } from '../live.ts'
import { Palette } from '../palette/palette.tsx'
import { announcement } from '../pieces/announce.ts'
import { NoSession, NoTraces, NotFound } from '../pieces/notice.tsx'
import { subject } from '../pieces/subject.ts'
import { hasSession } from '../session.ts'
import { VerdictsAbove } from '../verdicts/verdicts.tsx'
import { Boundary } from './boundary.tsx'
import { useCurrentTab, useEscape, useViewFocus } from './focus.ts'
import { useShortcuts } from './shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { Status } from './status.tsx'
import { VIEWS } from './views.tsx'

export function Shell() {
  const { view, parts } = address.value
  const entry = VIEWS.find((one) => one.view === view)
  const system = usePolled<SystemView>(hasSession.value ? '/api/system' : undefined, 60_000)
  const helps = useSignal(false)
  const main = useRef<HTMLElement>(null)
  const tabs = useRef<HTMLElement>(null)
  const name = system.value.value?.name ?? 'Taproom'
  useShortcuts(() => {
    helps.value = !helps.value
  })
  useViewFocus(main, view, parts.join('/'))
  useEscape()
  useCurrentTab(tabs, view)
  useEffect(() => {
    const about = [subject.value ?? parts[0], entry?.title ?? 'Not found', name]
    document.title = about.filter((part) => part !== undefined).join(' · ')
  }, [entry, parts.join('/'), name, subject.value])

  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href={href('')}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M4 5h9l-1 12H5zM13 8h2.5a1.5 1.5 0 0 1 1.5 1.5v2a1.5 1.5 0 0 1-1.5 1.5h-3" />
            <path class="foam" d="M4 5a2 2 0 0 1 2-2 3 3 0 0 1 5 0 2 2 0 0 1 2 2z" />
          </svg>
          {name}
        </a>
        {hasSession.value && (
          <Palette
            views={VIEWS}
            onHelp={() => {
              helps.value = true
            }}
          />
        )}
        <Status
          system={system.value.value}
          onHelp={() => {
            helps.value = true
          }}
        />
      </header>
      <nav class="side" ref={tabs} aria-label="Views">
        <ul>
          {VIEWS.map((one, index) => (
            <li key={one.view}>
              <a href={href(one.view)} data-key={index + 1} aria-current={one.view === view ? 'page' : undefined}>
                <svg viewBox="0 0 20 20" aria-hidden="true">
                  <path d={one.icon} />
                </svg>
                <span>{one.title}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" ref={main} tabIndex={-1} aria-label={entry?.title}>
        <Boundary address={[view, ...parts].join('/')}>
          {hasSession.value && <VerdictsAbove />}
          <NoTraces setBy={system.value.value?.tracesSetBy} />
          {!hasSession.value ? <NoSession /> : entry === undefined ? <NotFound /> : <entry.Body key={entry.view} />}
        </Boundary>
      </main>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
      <ShortcutsDialog open={helps} />
    </>
  )
}
