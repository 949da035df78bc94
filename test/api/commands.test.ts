/**
 * The `tintype` command next to a running service, and export and import. Each command is a separate process, which is
 * slow, so these suites run in the full run and in the matrix.
 */
import { runTogether } from '../harness/area.ts'
import '../harness/collect.ts'
import './cli.ts'
import './moving.ts'
import './other-versions.ts'

runTogether('the command', { concurrency: 2 })
