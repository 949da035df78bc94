/** Opens an address in the browser of the user, if standard output is a terminal. Without a browser, nothing happens. */
export async function openInBrowser(address: string): Promise<void> {
  if (!process.stdout.isTTY) return
  const { spawn } = await import('node:child_process')
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program ?? '', [...args, address], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  // Not `start` of cmd, which would interpret characters of the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
