/** Prompts that a person picks in a client. They give the order of the tools. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

interface Prompt {
  name: string
  title: string
  description: string
  argument: { name: string; description: string }
  /** `value`: the argument, as JSON. */
  text(value: string): string
}

const prompts: Prompt[] = [
  {
    name: 'write_workflow',
    title: 'Write a workflow',
    description: 'Writes a workflow for a brief, shows it, and saves it as a draft.',
    argument: {
      name: 'brief',
      description: 'The content and the size of the images, and the parts that change from image to image.',
    },
    text: (brief) => `Write a Tintype workflow for this brief: ${brief}

1. Call read_guide, and again with the page "templates" if values are computed.
2. Find the operations with search_operations, one task at a time.
3. Write the document: whatever changes from image to image is a parameter with a default. Add two examples, one of them with the longest texts.
4. Call validate_workflow, correct all issues at once, and tell me the cost if it isn't zero.
5. Call save_draft, then execute_draft with each example. Look at the images: if something is cut off, unreadable or empty, show the nodes before it and correct it.
6. Give me the address of the draft. Don't publish it.`,
  },
  {
    name: 'repair_workflow',
    title: 'Repair a workflow',
    description: 'Finds out why a workflow fails or draws something wrong, and saves a draft with the correction.',
    argument: { name: 'workflow', description: 'The id or the slug, and what is wrong.' },
    text: (workflow) => `Repair this Tintype workflow: ${workflow}

1. Read it with get_workflow, and call validate_workflow with its id.
2. Call execute_draft with the parameters that go wrong, and show the nodes on the way to the output.
3. Change as little as possible. Call save_draft, execute_draft, then compare_draft: other examples should not change.
4. Give me the address of the draft and the reason of the problem. Don't publish it.`,
  },
]

export function listPrompts() {
  return {
    prompts: prompts.map(({ name, title, description, argument }) => ({
      name,
      title,
      description,
      arguments: [{ ...argument, required: true }],
    })),
  }
}

export function getPrompt(name: string, args: Record<string, string>) {
  const prompt = prompts.find((each) => each.name === name)
  if (prompt === undefined) throw invalid(`Unknown prompt: ${JSON.stringify(name.slice(0, 200))}`)
  const value = args[prompt.argument.name]
  if (value === undefined) throw invalid(`The argument ${prompt.argument.name} is required.`)
  const text = prompt.text(JSON.stringify(value.slice(0, valueCharsMax)))
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}

const valueCharsMax = 8_000

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
