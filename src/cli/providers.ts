import type { Command } from 'commander'
import type { Act, CliProviders } from './cli-services.ts'

export function providerCommand(program: Command, act: Act<CliProviders>): void {
  program
    .command('providers')
    .description('List AI providers, their capabilities and missing settings.')
    .option('--json', 'print one JSON value with the models of each provider')
    .action(({ json }: { json?: boolean }) =>
      act(
        async ({ list }) => {
          const rows = list()
          if (json === true) return rows
          return rows.map(({ id, configured, problem, capabilities, models, baseUrl }) => ({
            provider: id,
            configured: configured ? 'yes' : 'no',
            models: models.length,
            capabilities,
            'base URL': baseUrl,
            missing: problem,
          }))
        },
        { json: json === true },
      ),
    )
}
