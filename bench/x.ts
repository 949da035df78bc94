import { startPostgres } from '../test/harness/postgres.ts'
import { costlySources } from '../test/neighbours/attacks/costly-sources.ts'
import { attacks } from '../test/neighbours/attacks/index.ts'
import { measure, msMax, p95, problemsOf } from '../test/neighbours/measure.ts'
import { readFileSync } from 'node:fs'
const order = process.argv.slice(2)
const pg = await startPostgres()
for (const each of order) {
  const [engine, pattern = ''] = each.split(':')
  for (const attack of attacks.filter(a => a.name.includes(pattern) || (pattern === 'costly' && a === costlySources))) {
    const m = await measure(attack, { probes: 40, secondsMax: 40 }, async () => engine === 'pg' ? { DATABASE_URL: await pg.newDatabase() } : {})
    const p = problemsOf(m)
    console.log([engine, attack.name.slice(0, 80), `alone ${p95(m.alone.executions).toFixed(0)}`, `with ${p95(m.withAttack.executions).toFixed(0)}`, `limit ${msMax(m.alone.executions).toFixed(0)}`, `elsewhere ${p95(m.elsewhere.executions).toFixed(0)}`, `reads ${p95(m.alone.reads).toFixed(0)}/${p95(m.withAttack.reads).toFixed(0)}`, `health ${Math.max(...m.withAttack.health).toFixed(0)}`, `probes ${m.withAttack.executions.length}`, `refused ${m.withAttack.refused}`, m.responses, p.join('; ') || 'met', `load ${readFileSync('/proc/loadavg','utf8').split(' ')[0]}`].join(' | '))
  }
}
await pg.remove()
