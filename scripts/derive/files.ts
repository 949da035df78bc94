/** Every derived file: its path in the project, and its text. */
import { readFileSync } from 'node:fs'
import { settings } from '../../src/config/config.ts'
import { openApiDocument } from '../../src/http/response/openapi.ts'
import { routes } from '../../src/http/routes/index.ts'
import { catalogue } from '../../src/operations/index.ts'
import { authorsGuide, templatesGuide } from './agent-guides.ts'
import { charactersPage } from './characters.ts'
import { checkedExamples } from './checked-examples.ts'
import { cliPage } from './cli.ts'
import { clientReadme } from './client-readme.ts'
import { clientResources, type Document } from './client-resources.ts'
import { clientsPage } from './clients.ts'
import { configurationPage, envExample } from './configuration.ts'
import { conformancePage } from './conformance.ts'
import { errorsPage } from './errors.ts'
import { htmlPage } from './html.ts'
import { limitsPage } from './limits.ts'
import { metricsPage } from './metrics.ts'
import { modelsPage } from './models.ts'
import { operationPage, operationsIndex } from './operations.ts'
import { permissionsPage } from './permissions.ts'
import { retentionPage } from './retention.ts'

/** Folders with only derived files. */
export const derivedFolders = ['docs/operations']

export async function derivedFiles(): Promise<ReadonlyMap<string, string>> {
  const operations = [...catalogue.values()]
  const document = openApi()
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ...operations.map((operation): [string, string] => [
      `docs/operations/${operation.id}.md`,
      operationPage(operation),
    ]),
    ['docs/operations/README.md', operationsIndex(operations)],
    ['docs/conformance.md', conformancePage(operations)],
    ['docs/characters.md', await charactersPage()],
    ['src/app/checked-examples.json', await checkedExamples()],
    ['src/mcp/authors.md', authorsGuide()],
    ['src/mcp/templates.md', templatesGuide()],
    ['docs/supported-html.md', htmlPage()],
    ['docs/cli.md', cliPage()],
    ['docs/guide/clients.md', clientsPage()],
    ['client/README.md', clientReadme()],
    ['client/src/resources.ts', clientResources(document as unknown as Document)],
    ['docs/errors.md', errorsPage()],
    ['docs/configuration.md', configurationPage()],
    ['docs/limits.md', limitsPage()],
    ['docs/metrics.md', metricsPage()],
    ['docs/models.md', modelsPage()],
    ['docs/permissions.md', permissionsPage()],
    ['docs/retention.md', retentionPage()],
    ['.env.example', envExample()],
  ])
}

/** The OpenAPI document of a service with default settings; a running one has its own address. */
function openApi() {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const baseUrl = `http://${settings.host.default}:${settings.port.default}/v1`
  return openApiDocument({ routes, baseUrl, version })
}
