import { type Attack, repeat } from '../load.ts'

/** A burst of bodies was parsed and checked in one turn of the event loop. They are refused, so the smallest plan is enough. */
export const largeBodies: Attack = {
  name: '40 clients with bodies of up to 1 MB that are refused',
  isRefused: true,
  async start({ a }) {
    const numbers = Array.from({ length: 60_000 }, (_, i) => [`p${i}`, 1])
    const unknown = { workflowId: 'wf_00000000000000000000000000', parameters: Object.fromEntries(numbers) }
    const bodies: [path: string, text: string][] = [
      ['/workflows/execute', JSON.stringify(unknown)],
      ['/projects', JSON.stringify({ name: Array.from({ length: 250_000 }, () => [0]) })],
      ['/projects', JSON.stringify({ name: 'x'.repeat(1_000_000) })],
    ]
    return repeat(40, (n, signal) => {
      const [path, text] = bodies[n % bodies.length] ?? ['', '']
      return a.send('POST', path, { text, signal })
    })
  },
}
