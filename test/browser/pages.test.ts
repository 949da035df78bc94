/** A smoke test of every page and dialog, and what a person does most, in the browser. In one process: see test/README.md. */
import { runTogether } from '../harness/area.ts'
import '../harness/collect.ts'
import './axe.ts'
import './first-load.ts'
import './running.ts'
import './sign-in.ts'

runTogether('the console in the browser', { concurrency: 2 })
