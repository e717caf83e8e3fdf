import { render } from 'preact'
import { followAddress } from './address.ts'
import { followTheme } from './pieces/theme.ts'
import { shareSession } from './session.ts'
import { Shell } from './shell/shell.tsx'

followTheme()
shareSession()
followAddress()
const root = document.getElementById('page')
if (root !== null) render(<Shell />, root)
