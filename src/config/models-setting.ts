import { type Setting, setting } from './setting.ts'
import { modelList } from './setting-values.ts'

/** The setting of the default models of an operation. */
export function modelsSetting(name: string, operation: string): Setting<string[]> {
  return setting(
    name,
    `Models of \`${operation}\` for nodes without \`model\`: \`provider/model\`, several with commas. The first one that can do the task is used, and the others if it fails.`,
    [],
    modelList,
    'depends on the provider keys that are set',
  )
}
