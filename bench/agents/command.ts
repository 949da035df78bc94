/** An agent that is a command: it gets the brief as standard input, and works through the MCP server by itself. */
import { spawn } from 'node:child_process'
import type { Agent } from './run.ts'

/** `url`: of the service. The command runs in a shell, with the address and the key of the server in its environment. */
export function commandAgent(command: string, url: string, timeoutSeconds: number): Agent {
  return ({ prompt, mcpUrl, key }) =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, TINTYPE_MCP_URL: mcpUrl, TINTYPE_URL: url, TINTYPE_KEY: key }
      const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
      const child = spawn(command, { shell: true, env, signal, stdio: ['pipe', 'ignore', 'inherit'] })
      child.once('error', (error) =>
        reject(signal.aborted ? new Error(`the command did not end within ${timeoutSeconds} seconds`) : error),
      )
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the command ended with ${code}`))))
      // A command may end without reading its input.
      child.stdin.on('error', () => {})
      child.stdin.end(prompt)
    })
}
