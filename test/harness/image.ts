/**
 * The container image without a container engine: the root file system that the Dockerfile describes, of Debian's packages (mmdebstrap), the
 * pinned Node and the npm package. Processes run in it as in a container: as user 1000, on a read-only file system, and write only
 * below /tmp. Linux, as root.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { packPackage } from './package.ts'

const repository = path.resolve(import.meta.dirname, '../..')

/** `program` starts the `tintype` of the image, for the environment variable TEST_PROGRAM. */
export async function buildImage(): Promise<{ program: string; remove(): void }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tintype-image-'))
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const root = path.join(folder, 'root')
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })
    const [, release = ''] = /^FROM node:\S+-(\w+)-slim$/m.exec(read('Dockerfile')) ?? []
    // The libraries of Node, a shell, `sleep` of preStop hooks, and the programs that unpack the runtime of local models.
    run('mmdebstrap', '--variant=extract', '--include=libstdc++6,dash,coreutils,gzip,tar', release, root)
    for (const name of ['dev', 'proc', 'tmp', 'usr/local/bin']) mkdirSync(path.join(root, name), { recursive: true })
    cpSync(process.execPath, path.join(root, 'usr/local/bin/node'))
    // npm installs local models, from the registry of this machine.
    const npm = path.resolve(realpathSync(run('sh', '-c', 'command -v npm').toString().trim()), '../..')
    cpSync(npm, path.join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
    const settings = path.resolve(npm, '../../../etc/npmrc')
    if (existsSync(settings)) cpSync(settings, path.join(root, 'usr/local/etc/npmrc'))
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(root, 'usr/local/bin/npm'))
    run(path.join(repository, 'scripts/install-image.sh'), await packPackage(folder), root)
    const program = path.join(folder, 'program.mjs')
    writeFileSync(program, launcher(root))
    return { program, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Mounts that only the process and its children see. The process keeps its id, so that signals reach the service. */
const enter = `set -e
root=$1 folder=$2
shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount --bind ${os.tmpdir()} "$root/tmp"
for name in hosts resolv.conf ssl; do mount --bind -o ro /etc/$name "$root/etc/$name"; done
exec chroot --userspec=1000:1000 "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" /usr/local/bin/tintype "$@"`

function launcher(root: string): string {
  for (const name of ['hosts', 'resolv.conf']) writeFileSync(path.join(root, 'etc', name), '')
  mkdirSync(path.join(root, 'etc/ssl'), { recursive: true })
  return `import { execFileSync } from 'node:child_process'
const folder = process.cwd()
execFileSync('chown', ['--recursive', '1000:1000', folder])
const args = ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', ${JSON.stringify(enter)}, 'sh', ${JSON.stringify(root)}, folder]
const env = { ...process.env, PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', NODE_ENV: 'production', HOME: '/tmp' }
process.execve('/usr/bin/unshare', [...args, ...process.argv.slice(2)], env)
`
}

function read(name: string): string {
  return readFileSync(path.join(repository, name), 'utf8')
}
