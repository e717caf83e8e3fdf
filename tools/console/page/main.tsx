import { render } from 'preact'
import { followAddress } from './address.ts'
import { Shell } from './shell/shell.tsx'
import { followTheme } from './pieces/theme.ts'

followTheme()
followAddress()
const root = document.getElementById('page')
if (root !== null) render(<Shell />, root)
