/**
 * Suites that start many processes: the `tintype` command next to a running service, export and import, usage with
 * budgets, and services that end. Processes are slow, so `npm test` runs the main path of each (`fullOnly`).
 */
import { runTogether } from '../harness/area.ts'
import '../harness/collect.ts'
import './usage.ts'
import './lifecycle.ts'
import './cli.ts'
import './remote-commands.ts'
import './moving.ts'
import './other-versions.ts'
import './slow-storage.ts'

runTogether('the service and its commands', { concurrency: 2 })
