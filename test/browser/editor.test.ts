/** Every way to edit a workflow, and the pages around it, in the browser. In one process, and in the full run only: see test/README.md. */
import { runTogether } from '../harness/area.ts'
import '../harness/collect.ts'
import './catalogue.ts'
import './launch-card.ts'
import './account.ts'
import './canvas.ts'
import './editing.ts'
import './drafts.ts'
import './tutorial.ts'
import './cards.ts'
import './defaults.ts'
import './image-uses.ts'
import './last-run.ts'
import './run-values.ts'
import './seeds.ts'
import './first-screen.ts'

runTogether('editing in the browser', { concurrency: 2 })
