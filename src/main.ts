/** argv and environment -> settings -> the composition root -> listen, or one command. The only reader of `process.env`. */
import './net/dispatcher.ts'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { version } from './app/version.ts'
import { ConfigError, modelsDir, readConfig, secretValues } from './config/config.ts'

if (existsSync('.env')) process.loadEnvFile('.env')

// npm ends without a signal to the child of its script. The service would keep running and lock the data directory.
const endsWithParent = process.env.npm_lifecycle_event !== undefined

const lingerMsMax = 3_000

// Commands import modules on demand: creating a key doesn't load an image library.
try {
  const config = readConfig(process.env)
  // Commands print their result to standard output, so they log to standard error.
  const commandLog = { level: 'warn', dataDir: config.dataDir, secrets: secretValues(config), fileDescriptor: 2 }
  const args = process.argv.slice(2)
  const serveWith = async ({ executes }: { executes: boolean }) => {
    const { serve } = await import('./app/serve.ts')
    return serve(config, { endsWithParent, executes })
  }
  process.exitCode = ['', 'serve'].includes(args.join(' ')) ? await serveWith({ executes: true }) : await runCommand()

  // Its modules are a tenth of those of a service, which needs none of them.
  async function runCommand(): Promise<number> {
    const { runCli } = await import('./cli/program.ts')
    return runCli(args, {
      version,
      serve: serveWith,
      async work() {
        const { work } = await import('./app/serve.ts')
        return work(config, { endsWithParent })
      },
      async openRecords({ mayCreate }) {
        const { requireRecords, openRecordServices } = await import('./app/records.ts')
        if (!mayCreate) requireRecords(config)
        return openRecordServices(config)
      },
      async openOffline() {
        const { createOffline } = await import('./app/offline.ts')
        return createOffline(config)
      },
      async openMoving({ mayCreate }) {
        if (!mayCreate) (await import('./app/records.ts')).requireRecords(config)
        const [{ createArchive }, { createLog }] = await Promise.all([
          import('./app/archive.ts'),
          import('./app/log.ts'),
        ])
        return createArchive(config, createLog(commandLog))
      },
      async openModels() {
        const [{ createModelInstaller }, { download }] = await Promise.all([
          import('./local-models/install.ts'),
          import('./net/download.ts'),
        ])
        return createModelInstaller({
          folder: modelsDir(config),
          memoryBytesMax: config.localModelsMemoryBytesMax,
          download,
          onStep: (sentence) => process.stderr.write(`${sentence}\n`),
        })
      },
      async openProviders() {
        const { createProviderList } = await import('./app/models.ts')
        return createProviderList(config)
      },
      async openVerifier() {
        const { createVerifier } = await import('./app/credentials.ts')
        return createVerifier(config)
      },
      async connect(service) {
        const { connectService } = await import('./net/service-client.ts')
        return connectService(service)
      },
      configFolder: process.env.XDG_CONFIG_HOME || join(homedir(), '.config'),
      async openMcp(service) {
        const { bridgeMcp } = await import('./net/mcp-bridge.ts')
        return { run: () => bridgeMcp(service), close: async () => undefined }
      },
      async open() {
        const { requireRecords } = await import('./app/records.ts')
        requireRecords(config)
        const [{ createApp }, { createLog }] = await Promise.all([import('./app/app.ts'), import('./app/log.ts')])
        return createApp(config, createLog(commandLog))
      },
    })
  }
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  } else {
    // Without the stack, which has paths of the machine.
    process.stderr.write(`Tintype failed: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
  // Open handles of a failed start must not keep the process alive: its supervisor restarts it.
  setTimeout(() => process.exit(), lingerMsMax).unref()
}
