import { type Attack, repeat } from '../load.ts'

/** Clients without a key. Settings: the harness sets these limits out of reach, because all its tests have one address. */
export const wrongKeys: Attack = {
  name: '16 clients that send wrong keys and sign-ins',
  settings: { WRONG_KEYS_PER_MINUTE_MAX: '100', SIGN_INS_PER_MINUTE_MAX: '60' },
  async start({ a }) {
    const stranger = a.as(`tt_live_${'x'.repeat(43)}`)
    const text = JSON.stringify({ key: 'x'.repeat(900) })
    return repeat(16, (n, signal) =>
      n % 2 === 0 ? stranger.send('GET', '/projects', { signal }) : stranger.send('POST', '/session', { text, signal }),
    )
  },
}
