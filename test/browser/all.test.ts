/** All suites in the browser: in one process, so that they share a service and a Chromium. See test/README.md. */
import { runTogether } from '../harness/area.ts'
import '../harness/collect.ts'
import './axe.ts'
import './catalogue.ts'
import './launch-card.ts'
import './running.ts'
import './account.ts'
import './canvas.ts'
import './editing.ts'
import './drafts.ts'
import './focus.ts'
import './sign-in.ts'

runTogether('the console in the browser', { concurrency: 2 })
