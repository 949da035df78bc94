/** Tests that run local models. `npm ci` doesn't install them, because they have 360 MB. */
import { createRequire } from 'node:module'
import { type TestContext, test } from 'node:test'
import { packagedModels, runtimePackages } from './registry.ts'
import { folderOf, isInstalled } from './store.ts'

const installed = [...packagedModels.values()].filter(({ permissive }) => permissive).every(isInstalled)

/** The reason to skip a test that needs them. False if they are installed. */
export const noModels = !installed && 'the models of the tests are not installed: run scripts/install-test-models.sh'

export function testWithModels(name: string, run: (t: TestContext) => unknown): void {
  test(name, { skip: noModels }, async (t) => {
    await run(t)
  })
}

/** The runtime itself, to run a graph without the process of the models. */
export function onnxRuntime(): typeof import('onnxruntime-common') {
  const [folder] = runtimePackages.map(folderOf)
  if (folder === undefined) throw new Error('The runtime is not installed.')
  return createRequire(import.meta.url)(folder)
}
