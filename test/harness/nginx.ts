/** The proxy of deploy/ in front of a service: Debian's nginx with deploy/nginx/tintype.conf, which `scripts/install-test-servers.sh` installs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sendRequest } from './http.ts'
import { freePort } from './port.ts'
import { until } from './wait.ts'

const program = '/usr/sbin/nginx'

/** Why the proxy can't be started, or false. */
export const nginxMissing = !existsSync(program) && 'needs nginx: scripts/install-test-servers.sh'

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const each of running) each.kill('SIGKILL')
})

/** Only the ports and the names of hosts differ from the file in deploy/. */
export async function startNginx(target: string): Promise<{ origin: string; close(): Promise<void> }> {
  const dir = mkdtempSync(path.join(tmpdir(), 'tintype-nginx-'))
  const port = await freePort()
  const site = replaced(readFileSync(new URL('../../deploy/nginx/tintype.conf', import.meta.url), 'utf8'), [
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    ['proxy_pass http://$service:8080;', `proxy_pass ${target};`],
  ])
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  )
  const http = [...folders, 'access_log off;', site].join('\n')
  // Without it, the workers of nginx run as the user `nobody`, which can't write to the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const main = `${user} daemon off; pid ${dir}/pid; error_log stderr; events {} http {\n${http}\n}\n`
  writeFileSync(path.join(dir, 'nginx.conf'), main)
  const child = spawn(program, ['-e', 'stderr', '-p', dir, '-c', path.join(dir, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const lines: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text))
  const origin = `http://127.0.0.1:${port}`
  await until('nginx to respond', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${lines.join('')}`)
    const response = await sendRequest(origin, '/health/live', { keepAlive: false }).catch(() => undefined)
    return response?.status === 200 || undefined
  })
  return {
    origin,
    async close() {
      child.kill('SIGTERM')
      await ended
      running.delete(child)
      rmSync(dir, { recursive: true })
    },
  }
}

/** Throws if a text is missing, so that the test doesn't run with another file than it says. */
function replaced(text: string, pairs: [string, string][]): string {
  return pairs.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx/tintype.conf has no ${from}`)
    return result.replace(from, to)
  }, text)
}
