/** Names in a workflow document, as patterns of JSON Schema. */

export const nodeIdPattern = '^[a-z][a-z0-9_-]{0,63}$'
/** The slug of a workflow, and the name of a channel: parts of URLs. An id has a `_`, so it is never a slug. */
export const slugPattern = '^[a-z][a-z0-9-]{0,62}$'
/** The name of a parameter is a LiquidJS variable name. */
export const parameterNamePattern = '^[A-Za-z][A-Za-z0-9_-]{0,63}$'
/** The name of an example is a file name. */
export const exampleNamePattern = '^[a-z0-9][a-z0-9_-]{0,63}$'
/** The name of an output is a part of file names, and of wires to a workflow. */
export const outputNamePattern = nodeIdPattern
