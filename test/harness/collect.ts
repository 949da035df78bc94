/** Imported before any area: imports are evaluated in their order. */
import { collect } from './area.ts'

collect()
