/** The rules for `openai` that the schema can't express. */
import { list, show } from '../../../shared/text.ts'
import { unknownName } from '../../domain/validate.ts'
import { openAiParameterFields } from '../../domain/workflows/openai.ts'
import type { ParameterDeclaration, WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'

type Field = (typeof openAiParameterFields)[number]

/** `formats`: those of the parameter that can have the value. Undefined for numbers. */
const forms: Record<Field, { expected: string; formats?: readonly (string | undefined)[] }> = {
  prompt: { expected: 'a string without a format, or with the format multiline', formats: [undefined, 'multiline'] },
  image: { expected: 'a string with the format image', formats: [undefined, 'image'] },
  size: { expected: 'a string without a format, or with the format enum', formats: [undefined, 'enum'] },
  width: { expected: 'a number' },
  height: { expected: 'a number' },
}

export function checkOpenAi({ openai, parameters = [] }: WorkflowDocument): Issue[] {
  if (openai === undefined) return []
  const declared = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const fieldOf = new Map<string, Field>()
  const issues: Issue[] = []
  for (const field of openAiParameterFields) {
    const name = openai[field]
    if (name === undefined) continue
    const issue = (message: string) => issues.push({ path: `openai.${field}`, message })
    const declaration = declared.get(name)
    const other = fieldOf.get(name)
    if (declaration === undefined) issue(unknownName('parameter', name, [...declared.keys()]))
    else if (other !== undefined) issue(`is ${show(name)}, which "${other}" names already. Name another parameter.`)
    else if (!fits(declaration, field))
      issue(`is ${show(name)}, but that parameter must be ${forms[field].expected}. Change its declaration.`)
    fieldOf.set(name, field)
  }
  for (const [field, other] of [
    ['width', 'height'],
    ['height', 'width'],
  ] as const)
    if (openai[field] === undefined && openai[other] !== undefined)
      issues.push({ path: `openai.${field}`, message: `is required together with "${other}"` })
  const unnamed = parameters
    .filter(({ name, required, default: preset }) => required && preset === undefined && !fieldOf.has(name))
    .map(({ name }) => name)
  if (unnamed.length > 0) {
    const message = `must name every required parameter, but not ${list(unnamed)}. Give each of them a default.`
    issues.push({ path: 'openai', message })
  }
  return issues
}

function fits(declaration: ParameterDeclaration, field: Field): boolean {
  const { formats } = forms[field]
  if (declaration.type === 'number') return formats === undefined
  return formats?.includes(declaration.format) ?? false
}
