// Derived from docs/openapi.json by `npm run derive`: do not edit.

export interface paths {
    "/workflows/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a saved workflow
         * @description Synchronous by default: 200 with the output. One that takes longer than the service waits answers 202 and goes on; poll it. With `async` true it answers 202 as soon as the execution is durably recorded.
         *
         *     Permission: `workflows:execute`.
         */
        post: operations["workflows.execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the status of an execution
         * @description Poll it while `status` is `pending` or `running`. A failed one carries `error` in the shape of an error response.
         *
         *     Permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's executions, newest first
         * @description Permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an execution's steps: state and time of each node
         * @description Permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an execution while it goes on, by server-sent events
         * @description The first event is a `snapshot`: the execution and its steps as they stand. After it come `step` and `execution` events as things happen, and after the execution's end the stream ends. The events of an execution are numbered 1, 2, 3, ...; whoever comes with the last number seen gets those past it, each once, from any process of the service; 0 stands for all of them. Now and then a stream ends before the execution does: go on in the same way.
         *
         *     Permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/steps/{node}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a small picture of what a step gave
         * @description Of an execution that was begun with `previews` true: WebP of at most 512 x 512 pixels, of a list the first image, of an animation the first frame. It is kept for some days after it was shown last.
         *
         *     Permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.stepPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description It ends `failed` with reason `cancelled`. One that has ended already stays as it is.
         *
         *     Permission: `workflows:execute`.
         */
        post: operations["executions.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with an execution that failed
         * @description Makes a new execution of the same version of the workflow, which does not run again what the failed one has finished; its `resumedFrom` names that one. Given parameters stand in place of the old ones, by name, and what they touch runs again. Finished steps are kept for a week. Answers as executing does.
         *
         *     Permission: `workflows:execute`.
         */
        post: operations["executions.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's workflows, newest first
         * @description Permission: `workflows:read`.
         */
        get: operations["workflows.list"];
        put?: never;
        /**
         * Save a new workflow
         * @description The body is the workflow document; `projectId` beside its fields says where it goes (else to the project "Default").
         *
         *     Permission: `workflows:write`.
         */
        post: operations["workflows.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a workflow document without saving or executing it
         * @description The body is a document, or `{ "document": ..., "parameters": ... }` to check values with it. Every problem is told at once, and what an execution would do.
         *
         *     Permission: `workflows:read` or `workflows:write`.
         */
        post: operations["workflows.validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one workflow and the parameters it takes
         * @description Permission: `workflows:read`.
         */
        get: operations["workflows.get"];
        /**
         * Save a workflow again
         * @description A document that differs makes a new version; executions under way keep theirs. With `If-Match` it is refused when the workflow has been saved since. With `compare=true` nothing is saved: its examples are executed as it stands and as it would be, and the answer tells what differs; that needs `workflows:execute` as well.
         *
         *     Permission: `workflows:write`.
         */
        put: operations["workflows.replace"];
        post?: never;
        /**
         * Delete a workflow
         * @description Its executions and their outputs stay.
         *
         *     Permission: `workflows:write`.
         */
        delete: operations["workflows.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow's document, as it was saved
         * @description That of the newest version, or with `version` that of another one.
         *
         *     Permission: `workflows:read`.
         */
        get: operations["workflows.getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a workflow's versions, newest first
         * @description Permission: `workflows:read`.
         */
        get: operations["workflows.listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's drafts, newest first
         * @description Those of workflows that were never published, and those of workflows that were.
         *
         *     Permission: `workflows:read`.
         */
        get: operations["drafts.list"];
        put?: never;
        /**
         * Begin a new workflow with a draft
         * @description Reserves the id of the workflow, which is not found and not listed until the draft is published. The document is not checked before.
         *
         *     Permission: `workflows:write`.
         */
        post: operations["drafts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow's draft
         * @description Permission: `workflows:read`.
         */
        get: operations["drafts.get"];
        /**
         * Save a workflow's draft
         * @description Nothing of the document is checked but its size. A workflow that has no draft gets one, begun from its newest version. With `If-Match` it is refused when the draft has been saved, published or deleted since.
         *
         *     Permission: `workflows:write`.
         */
        put: operations["drafts.save"];
        post?: never;
        /**
         * Delete a workflow's draft
         * @description The workflow stays as it was published. Executions of the draft and their outputs stay.
         *
         *     Permission: `workflows:write`.
         */
        delete: operations["drafts.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/draft/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a workflow's draft its next version
         * @description The document is checked as it is when a workflow is saved; then the draft is gone. One that does not differ from the newest version makes no new one. Refused when the workflow has been saved since the draft began, unless `overwrite` is true; with `If-Match` also when the draft has been saved since.
         *
         *     Permission: `workflows:write`.
         */
        post: operations["drafts.publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/draft/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a workflow's draft
         * @description As it is at this moment, which is kept with the execution; where there is no draft, the newest version is what one would begin from, and is executed. Only what the output needs is checked and executed, or what the node in `node` needs. Answers as executing a saved workflow does.
         *
         *     Permission: `workflows:execute`.
         */
        post: operations["drafts.execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image
         * @description PNG, JPEG, WebP, AVIF, GIF, TIFF or SVG, told by its bytes. It is decoded whole before it is accepted.
         *
         *     Permission: `storage:write`.
         */
        post: operations["images.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stored images, newest first
         * @description Permission: `storage:read`.
         */
        get: operations["images.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/images/{imageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the details of one image
         * @description Permission: `storage:read`.
         */
        get: operations["images.get"];
        put?: never;
        post?: never;
        /**
         * Delete an image
         * @description Its URL answers 404 from then on.
         *
         *     Permission: `storage:write`.
         */
        delete: operations["images.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an image's bytes, by its URL
         * @description For whoever has the URL: the id cannot be guessed. The bytes are those that were stored.
         *
         *     No key needed.
         */
        get: operations["images.content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fonts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploaded fonts, newest first
         * @description Permission: `storage:read`.
         */
        get: operations["fonts.list"];
        put?: never;
        /**
         * Upload a font
         * @description TTF, OTF or WOFF2, told by its bytes; one file a weight and slant, or a variable one. Every character of it is drawn once before it is accepted. Texts call it by its family or its id.
         *
         *     Permission: `storage:write`.
         */
        post: operations["fonts.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fonts/{fontId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a font
         * @description Executions that ask for it fail from then on; pictures that were made with it stay.
         *
         *     Permission: `storage:write`.
         */
        delete: operations["fonts.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects, newest first
         * @description Permission: `projects:read`.
         */
        get: operations["projects.list"];
        put?: never;
        /**
         * Create a project
         * @description Permission: `projects:write`.
         */
        post: operations["projects.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the operations that workflows can use, with the JSON Schema of their params
         * @description Any key.
         */
        get: operations["operations.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the AI providers, which are configured, and what their models can do
         * @description Also those that are not configured, with the settings of the service that would enable them. `local` runs models in the service itself, without a key. Prices are those of the service; what is billed is for the provider to say.
         *
         *     Permission: `workflows:read`.
         */
        get: operations["providers.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the account did, and what its calls of AI models cost
         * @description Added up by month, day, workflow, key and model; a call counts on the day (UTC) on which it ended. Of workflows, keys and models the 1000 dearest are told. What comes from the cache costs nothing and is no call.
         *
         *     Permission: `workflows:read`.
         */
        get: operations["usage.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's keys, newest first
         * @description Also those that were revoked or have expired.
         *
         *     Permission: `all`.
         */
        get: operations["keys.list"];
        put?: never;
        /**
         * Create a key; its text is shown this once
         * @description An account has at most 100 keys that hold. None holds longer than the key that makes it.
         *
         *     Permission: `all`.
         */
        post: operations["keys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key, at once and for good
         * @description Again, it answers the same. A key may revoke itself: this is its last answer. An account without a key that has `all` gets another one from the operator only.
         *
         *     Permission: `all`.
         */
        delete: operations["keys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a new key in the place of another
         * @description The new key has the same name, permissions and expiry; its text is shown this once. The old one goes on for `overlapSeconds`, and is then revoked. Refused where the new key would hold longer than the key of the request.
         *
         *     Permission: `all`.
         */
        post: operations["keys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whose key this is, and what it may do
         * @description Any key.
         */
        get: operations["session.get"];
        put?: never;
        /**
         * Sign in to the console
         * @description Sets the cookie `tintype_session`, which stands for the key in requests of the console. It may do what the key may, and ends with it. Every other client sends the key itself, in the `Authorization` header.
         *
         *     No key needed.
         */
        post: operations["session.create"];
        /**
         * Sign out of the console
         * @description Ends the session of the cookie, if there is one, and takes the cookie away. Keys stay as they are.
         *
         *     No key needed.
         */
        delete: operations["session.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this reference as an OpenAPI 3.1 document
         * @description No key needed.
         */
        get: operations["service.openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Browse this reference
         * @description No key needed.
         */
        get: operations["service.docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the reference page
         * @description No key needed.
         */
        get: operations["service.docsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description No key needed.
         */
        get: operations["service.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service can take work: records and bytes can be read and written
         * @description No key needed.
         */
        get: operations["service.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/security.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where to report a vulnerability (RFC 9116)
         * @description Available if the operator has set `SECURITY_CONTACT`.
         *
         *     No key needed.
         */
        get: operations["service.securityTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                /** @enum {unknown} */
                code: "forbidden" | "internal_error" | "invalid_request" | "method_not_allowed" | "not_found" | "rate_limited" | "unauthorized" | "unavailable" | "workflow_failed";
                message: string;
                details: {
                    requestId: string;
                    /** @description Every problem of an `invalid_request` at once. */
                    issues?: {
                        path: string;
                        message: string;
                    }[];
                    permission?: string | null;
                    retryAfterSeconds?: number;
                    limit?: number;
                    executionId?: string;
                    node?: string;
                    operation?: string;
                    /** @enum {unknown} */
                    reason?: "cancelled" | "input_invalid" | "input_not_found" | "internal" | "limit_exceeded" | "provider_not_configured" | "provider_rate_limited" | "provider_refused" | "provider_unavailable" | "timeout" | "worker_lost";
                    /** @description The AI provider that was asked. */
                    provider?: string;
                    /** @description As `provider/model`. */
                    model?: string;
                    /** @description What went wrong with the call: not_configured, auth, quota, rate_limited, invalid_request, unsupported, refused, down, timeout, bad_output, no_output, expired, outcome_unknown, cancelled, circuit_open or budget. After `outcome_unknown` it may have been carried out, and billed. */
                    problem?: string;
                    /** @description HTTP status that the provider answered with. */
                    status?: number;
                    /** @description The provider's own id of the request or the job. */
                    providerRequestId?: string;
                    /**
                     * @description Whether the call was billed.
                     * @enum {unknown}
                     */
                    billed?: "no" | "yes" | "unknown";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        /** @description How all of it stands, its `id` that of the last event which is contained in it. */
        ExecutionSnapshotEvent: {
            execution: {
                executionId: string;
                workflowId: string;
                /** @enum {unknown} */
                status: "pending" | "running" | "completed" | "failed";
                output?: {
                    url: string;
                    width: number;
                    height: number;
                    /** @enum {unknown} */
                    format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                    imageId?: string;
                };
                error?: {
                    code: string;
                    message: string;
                    details: {
                        [key: string]: unknown;
                    };
                };
                /** @description Milliseconds from acceptance to the end. */
                duration?: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                startedAt?: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                completedAt?: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                createdAt?: string;
                workflowVersion?: number;
                parameters?: {
                    [key: string]: string | number;
                };
                /**
                 * @description Small pictures of what its steps give are kept.
                 * @constant
                 */
                previews?: true;
                /** @description The failed execution that it goes on with. */
                resumedFrom?: string;
                /**
                 * @description It ran the workflow's draft, as that was then; `workflowVersion` is not told.
                 * @constant
                 */
                draft?: true;
                /** @description The node that the draft was run to. */
                node?: string;
                /** @description What its calls of AI models cost; only where there were any. */
                cost?: {
                    /** @description US dollars. */
                    usd: number;
                    /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                    unknown?: number;
                };
            };
            steps: {
                node: string;
                operation: string;
                /** @enum {unknown} */
                status: "pending" | "running" | "completed" | "skipped" | "failed" | "cancelled";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                startedAt?: string;
                /** @description Milliseconds. */
                duration?: number;
                width?: number;
                height?: number;
                /** @description How many images it gave, when it ran over a list; width and height are those of the first. */
                count?: number;
                /**
                 * @description Where its result came from when it did not run: `cache`, also where it was not needed because what follows came from there; `resumed`, the execution that this one resumes.
                 * @enum {unknown}
                 */
                servedFrom?: "cache" | "resumed";
                /** @description The calls of AI models that it made, in their order, those of earlier attempts included. */
                calls?: {
                    /** @description `provider/model`. */
                    model: string;
                    /** @description `done`, or what went wrong. */
                    outcome: string;
                    /** @description US dollars; null where nobody knows. */
                    costUsd: number | null;
                    /** @description `reported` by the provider; `computed` from what was used and the price table; `assumed`: the most that it may cost, because whether it was billed cannot be known. */
                    costSource: ("reported" | "computed" | "assumed") | null;
                    /** @description The provider's own id of the request or the job. */
                    requestId?: string;
                }[];
                /** @description A small picture of what it gave, where the execution was asked for previews. */
                preview?: {
                    url: string;
                    width: number;
                    height: number;
                };
                error?: {
                    message: string;
                    details: {
                        [key: string]: unknown;
                    };
                };
            }[];
        };
        /** @description A step that has changed, whole. */
        ExecutionStepEvent: {
            node: string;
            operation: string;
            /** @enum {unknown} */
            status: "pending" | "running" | "completed" | "skipped" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /** @description Milliseconds. */
            duration?: number;
            width?: number;
            height?: number;
            /** @description How many images it gave, when it ran over a list; width and height are those of the first. */
            count?: number;
            /**
             * @description Where its result came from when it did not run: `cache`, also where it was not needed because what follows came from there; `resumed`, the execution that this one resumes.
             * @enum {unknown}
             */
            servedFrom?: "cache" | "resumed";
            /** @description The calls of AI models that it made, in their order, those of earlier attempts included. */
            calls?: {
                /** @description `provider/model`. */
                model: string;
                /** @description `done`, or what went wrong. */
                outcome: string;
                /** @description US dollars; null where nobody knows. */
                costUsd: number | null;
                /** @description `reported` by the provider; `computed` from what was used and the price table; `assumed`: the most that it may cost, because whether it was billed cannot be known. */
                costSource: ("reported" | "computed" | "assumed") | null;
                /** @description The provider's own id of the request or the job. */
                requestId?: string;
            }[];
            /** @description A small picture of what it gave, where the execution was asked for previews. */
            preview?: {
                url: string;
                width: number;
                height: number;
            };
            error?: {
                message: string;
                details: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The execution has another status. */
        ExecutionStatusEvent: {
            executionId: string;
            /**
             * @description With `pending` and `running` it begins anew: forget the steps told before. After `completed` and `failed` comes nothing.
             * @enum {unknown}
             */
            status: "pending" | "running" | "completed" | "failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt?: string;
            output?: {
                url: string;
                width: number;
                height: number;
                /** @enum {unknown} */
                format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                imageId?: string;
            };
            error?: {
                code: string;
                message: string;
                details: {
                    [key: string]: unknown;
                };
            };
            /** @description Milliseconds from acceptance to the end. */
            duration?: number;
            /** @description What its calls of AI models cost; only where there were any. */
            cost?: {
                /** @description US dollars. */
                usd: number;
                /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                unknown?: number;
            };
        };
        Operation_image: Record<string, never>;
        Operation_canvas: Record<string, never>;
        Operation_gradient: Record<string, never>;
        Operation_noise: Record<string, never>;
        Operation_shape: Record<string, never>;
        Operation_svg: Record<string, never>;
        Operation_qr: Record<string, never>;
        Operation_barcode: Record<string, never>;
        Operation_chart: Record<string, never>;
        Operation_generate: Record<string, never>;
        Operation_edit: Record<string, never>;
        Operation_inpaint: Record<string, never>;
        Operation_describe: Record<string, never>;
        Operation_write: Record<string, never>;
        Operation_judge: Record<string, never>;
        Operation_resize: Record<string, never>;
        Operation_crop: Record<string, never>;
        "Operation_smart-crop": Record<string, never>;
        Operation_rotate: Record<string, never>;
        Operation_flip: Record<string, never>;
        Operation_extend: Record<string, never>;
        Operation_perspective: Record<string, never>;
        "Operation_thumbnail-sheet": Record<string, never>;
        Operation_tile: Record<string, never>;
        Operation_trim: Record<string, never>;
        Operation_round: Record<string, never>;
        Operation_adjust: Record<string, never>;
        "Operation_auto-enhance": Record<string, never>;
        Operation_levels: Record<string, never>;
        Operation_curves: Record<string, never>;
        Operation_temperature: Record<string, never>;
        Operation_normalize: Record<string, never>;
        Operation_equalize: Record<string, never>;
        Operation_grayscale: Record<string, never>;
        Operation_invert: Record<string, never>;
        Operation_tint: Record<string, never>;
        Operation_duotone: Record<string, never>;
        "Operation_gradient-map": Record<string, never>;
        Operation_lut: Record<string, never>;
        Operation_threshold: Record<string, never>;
        Operation_posterize: Record<string, never>;
        Operation_blur: Record<string, never>;
        Operation_sharpen: Record<string, never>;
        Operation_upscale: Record<string, never>;
        "Operation_remove-background": Record<string, never>;
        "Operation_drop-shadow": Record<string, never>;
        Operation_outline: Record<string, never>;
        Operation_glow: Record<string, never>;
        Operation_vignette: Record<string, never>;
        Operation_pixelate: Record<string, never>;
        Operation_grain: Record<string, never>;
        Operation_median: Record<string, never>;
        Operation_denoise: Record<string, never>;
        Operation_edges: Record<string, never>;
        Operation_composite: Record<string, never>;
        Operation_mask: Record<string, never>;
        Operation_grid: Record<string, never>;
        Operation_montage: Record<string, never>;
        Operation_stack: Record<string, never>;
        Operation_choose: Record<string, never>;
        Operation_watermark: Record<string, never>;
        Operation_diff: Record<string, never>;
        "Operation_before-after": Record<string, never>;
        Operation_text: Record<string, never>;
        Operation_info: Record<string, never>;
        Operation_palette: Record<string, never>;
        Operation_histogram: Record<string, never>;
        Operation_blurhash: Record<string, never>;
        Operation_phash: Record<string, never>;
        Operation_similarity: Record<string, never>;
        Operation_faces: Record<string, never>;
        Operation_ocr: Record<string, never>;
        Operation_frames: Record<string, never>;
        Operation_animate: Record<string, never>;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "workflows.execute": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The workflow to execute. */
                    workflowId: string;
                    /** @description Keys are the workflow's parameter names. */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description Whether a small picture of what each step gives is kept, to look at while it runs and afterwards. Default false. */
                    previews?: boolean;
                    /** @description Return at once with an execution id. Default false. */
                    async?: boolean;
                };
            };
        };
        responses: {
            /** @description It has completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        /** @constant */
                        status: "completed";
                        output: {
                            url: string;
                            width: number;
                            height: number;
                            /** @enum {unknown} */
                            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                            imageId?: string;
                        };
                        /** @description Milliseconds from the acceptance of the request to the stored output. */
                        duration: number;
                        /** @description What its calls of AI models cost; only where there were any. */
                        cost?: {
                            /** @description US dollars. */
                            usd: number;
                            /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                            unknown?: number;
                        };
                    };
                };
            };
            /** @description It is recorded and goes on; `Location` is where to poll. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        /** @enum {unknown} */
                        status: "pending" | "running";
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /**
             * @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log.
             *
             *     `workflow_failed`: `details.reason` says why, `details.node` and `details.operation` say where.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error" | "workflow_failed";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "executions.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        workflowId: string;
                        /** @enum {unknown} */
                        status: "pending" | "running" | "completed" | "failed";
                        output?: {
                            url: string;
                            width: number;
                            height: number;
                            /** @enum {unknown} */
                            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                            imageId?: string;
                        };
                        error?: {
                            code: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            };
                        };
                        /** @description Milliseconds from acceptance to the end. */
                        duration?: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        startedAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        completedAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt?: string;
                        workflowVersion?: number;
                        parameters?: {
                            [key: string]: string | number;
                        };
                        /**
                         * @description Small pictures of what its steps give are kept.
                         * @constant
                         */
                        previews?: true;
                        /** @description The failed execution that it goes on with. */
                        resumedFrom?: string;
                        /**
                         * @description It ran the workflow's draft, as that was then; `workflowVersion` is not told.
                         * @constant
                         */
                        draft?: true;
                        /** @description The node that the draft was run to. */
                        node?: string;
                        /** @description What its calls of AI models cost; only where there were any. */
                        cost?: {
                            /** @description US dollars. */
                            usd: number;
                            /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                            unknown?: number;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "executions.list": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description Only those of this workflow. */
                workflowId?: string;
                /** @description Only those in this state. */
                status?: "pending" | "running" | "completed" | "failed";
                /** @description Only those created at this time or later. ISO 8601: a time such as 2026-11-21T10:00:00Z, or a date, which is its beginning in UTC. */
                createdAfter?: string;
                /** @description Only those created before this time. ISO 8601: a time such as 2026-11-21T10:00:00Z, or a date, which is its beginning in UTC. */
                createdBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executions: {
                            executionId: string;
                            workflowId: string;
                            /** @enum {unknown} */
                            status: "pending" | "running" | "completed" | "failed";
                            output?: {
                                url: string;
                                width: number;
                                height: number;
                                /** @enum {unknown} */
                                format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                                imageId?: string;
                            };
                            error?: {
                                code: string;
                                message: string;
                                details: {
                                    [key: string]: unknown;
                                };
                            };
                            /** @description Milliseconds from acceptance to the end. */
                            duration?: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            startedAt?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            completedAt?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt?: string;
                            workflowVersion?: number;
                            parameters?: {
                                [key: string]: string | number;
                            };
                            /**
                             * @description Small pictures of what its steps give are kept.
                             * @constant
                             */
                            previews?: true;
                            /** @description The failed execution that it goes on with. */
                            resumedFrom?: string;
                            /**
                             * @description It ran the workflow's draft, as that was then; `workflowVersion` is not told.
                             * @constant
                             */
                            draft?: true;
                            /** @description The node that the draft was run to. */
                            node?: string;
                            /** @description What its calls of AI models cost; only where there were any. */
                            cost?: {
                                /** @description US dollars. */
                                usd: number;
                                /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                                unknown?: number;
                            };
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "executions.steps": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The steps in the order of the plan; none before it has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        steps: {
                            node: string;
                            operation: string;
                            /** @enum {unknown} */
                            status: "pending" | "running" | "completed" | "skipped" | "failed" | "cancelled";
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            startedAt?: string;
                            /** @description Milliseconds. */
                            duration?: number;
                            width?: number;
                            height?: number;
                            /** @description How many images it gave, when it ran over a list; width and height are those of the first. */
                            count?: number;
                            /**
                             * @description Where its result came from when it did not run: `cache`, also where it was not needed because what follows came from there; `resumed`, the execution that this one resumes.
                             * @enum {unknown}
                             */
                            servedFrom?: "cache" | "resumed";
                            /** @description The calls of AI models that it made, in their order, those of earlier attempts included. */
                            calls?: {
                                /** @description `provider/model`. */
                                model: string;
                                /** @description `done`, or what went wrong. */
                                outcome: string;
                                /** @description US dollars; null where nobody knows. */
                                costUsd: number | null;
                                /** @description `reported` by the provider; `computed` from what was used and the price table; `assumed`: the most that it may cost, because whether it was billed cannot be known. */
                                costSource: ("reported" | "computed" | "assumed") | null;
                                /** @description The provider's own id of the request or the job. */
                                requestId?: string;
                            }[];
                            /** @description A small picture of what it gave, where the execution was asked for previews. */
                            preview?: {
                                url: string;
                                width: number;
                                height: number;
                            };
                            error?: {
                                message: string;
                                details: {
                                    [key: string]: unknown;
                                };
                            };
                        }[];
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "executions.events": {
        parameters: {
            query?: {
                /** @description As `Last-Event-ID`, for a client that cannot send a header; the header goes before it. */
                after?: number;
            };
            header?: {
                /** @description The `id` of the last event that was seen: no snapshot is sent, but the events after that one. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description An execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The execution has ended, and that was the last event: do not come again. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "executions.stepPreview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An execution. */
                executionId: string;
                /** @description A node of it. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": unknown;
                };
            };
            /** @description Unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "executions.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description An execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        workflowId: string;
                        /** @enum {unknown} */
                        status: "pending" | "running" | "completed" | "failed";
                        output?: {
                            url: string;
                            width: number;
                            height: number;
                            /** @enum {unknown} */
                            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                            imageId?: string;
                        };
                        error?: {
                            code: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            };
                        };
                        /** @description Milliseconds from acceptance to the end. */
                        duration?: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        startedAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        completedAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt?: string;
                        workflowVersion?: number;
                        parameters?: {
                            [key: string]: string | number;
                        };
                        /**
                         * @description Small pictures of what its steps give are kept.
                         * @constant
                         */
                        previews?: true;
                        /** @description The failed execution that it goes on with. */
                        resumedFrom?: string;
                        /**
                         * @description It ran the workflow's draft, as that was then; `workflowVersion` is not told.
                         * @constant
                         */
                        draft?: true;
                        /** @description The node that the draft was run to. */
                        node?: string;
                        /** @description What its calls of AI models cost; only where there were any. */
                        cost?: {
                            /** @description US dollars. */
                            usd: number;
                            /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                            unknown?: number;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "executions.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description An execution that has failed. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Those that are to be other ones. */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description Return at once with an execution id. Default false. */
                    async?: boolean;
                };
            };
        };
        responses: {
            /** @description It has completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        /** @constant */
                        status: "completed";
                        output: {
                            url: string;
                            width: number;
                            height: number;
                            /** @enum {unknown} */
                            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                            imageId?: string;
                        };
                        /** @description Milliseconds from the acceptance of the request to the stored output. */
                        duration: number;
                        /** @description What its calls of AI models cost; only where there were any. */
                        cost?: {
                            /** @description US dollars. */
                            usd: number;
                            /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                            unknown?: number;
                        };
                    };
                };
            };
            /** @description It is recorded and goes on; `Location` is where to poll. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        /** @enum {unknown} */
                        status: "pending" | "running";
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /**
             * @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log.
             *
             *     `workflow_failed`: `details.reason` says why, `details.node` and `details.operation` say where.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error" | "workflow_failed";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.list": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description Only those of this project. */
                projectId?: string;
                /** @description Only those whose name contains this, in upper or lower case. */
                search?: string;
                /** @description `lastOutput`: tell of each what its newest execution gave. */
                include?: "lastOutput";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workflows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workflows: {
                            id: string;
                            name: string;
                            projectId: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            updatedAt: string;
                            /** @description With `include=lastOutput`: what its newest execution gave that ran to the output, unless that image was deleted. */
                            lastOutput?: {
                                executionId: string;
                                url: string;
                                width: number;
                                height: number;
                                /** @enum {unknown} */
                                format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC.
                                 */
                                completedAt: string;
                            };
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    parameters?: ({
                        /** @description What templates and callers call it. */
                        name: string;
                        /** @description Whether every execution must pass it. */
                        required?: boolean;
                        description?: string;
                        /** @constant */
                        type: "string";
                        default?: string;
                        /** @description The only values allowed. */
                        enum?: string[];
                    } | {
                        /** @description What templates and callers call it. */
                        name: string;
                        /** @description Whether every execution must pass it. */
                        required?: boolean;
                        description?: string;
                        /** @constant */
                        type: "number";
                        default?: number;
                        /** @description The least value allowed. */
                        minimum?: number;
                        /** @description The greatest value allowed. */
                        maximum?: number;
                    })[];
                    nodes: {
                        [key: string]: {
                            /** @description The id of an operation, as GET /operations lists them. */
                            type: string;
                            /** @description Images only: the name of a socket -> a node, or a list of nodes for a socket that takes many. */
                            inputs?: {
                                [key: string]: string | string[];
                            };
                            /** @description Values of the operation, each literal or a template. */
                            params?: {
                                [key: string]: unknown;
                            };
                            /** @description Runs the node once for each value of a list, or so many times, and gives a list of images: values, a count, or a template that gives one of both. The value is `item` in its templates, and `index` counts from 0. */
                            each?: unknown;
                            /** @description Whether results may come from the cache and go there. Default true; with false the node runs each time, and so does all that follows from it. */
                            cache?: boolean;
                            /** @description A template. When it renders to nothing, `false` or `0`, the node is skipped and hands its first input on. */
                            when?: string | boolean;
                        };
                    };
                    output: {
                        /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                        node: string;
                        /** @description Default: `webp` for an animation, else `png` if the image has transparency or `lossless` is true, else `jpeg`. jpeg, avif and tiff take the first frame. Or a template. */
                        format?: unknown;
                        /** @description File name of the output image. Or a template. */
                        name?: unknown;
                        /** @description How much of the image is kept where bytes are saved; where none is lost it says nothing. Default 80, avif 50. Or a template. */
                        quality?: unknown;
                        /** @description Time spent on making the file small, at the same quality. Default medium. Or a template. */
                        effort?: unknown;
                        /** @description Whether every pixel is kept as it is. Default: true for png, false for others. Or a template. */
                        lossless?: unknown;
                        /** @description How finely colours are stored: `4:4:4` for every pixel, for text and red edges; `4:2:0` for blocks of 2 x 2. Default: jpeg 4:2:0, avif 4:4:4. Or a template. */
                        chroma?: unknown;
                        /** @description Whether a browser shows the whole image coarsely before all of it is there. Or a template. */
                        progressive?: unknown;
                        /** @description The best quality of which the file has at most so many bytes. With `quality`, that is the best that is tried. Or a template. */
                        maxBytes?: unknown;
                        /** @description Whether EXIF (with its place, without thumbnail), XMP, IPTC and density of the first source come along. Default strip. Or a template. */
                        metadata?: unknown;
                        /** @description Colours are in `srgb` with nothing embedded (default), in Display P3, or in the RGB profile of the first source, embedded. Or a template. */
                        profile?: unknown;
                        /** @description Pixels of an inch when it is printed. Changes no pixel. Or a template. */
                        density?: unknown;
                    };
                    /** @description What versions are compared by. Executions do not read them. */
                    examples?: {
                        /** @description What it shows; also the name of its golden picture. */
                        name: string;
                        /** @description As an execution passes them. */
                        parameters?: {
                            [key: string]: unknown;
                        };
                    }[];
                    /** @description The console's positions; no meaning. */
                    layout?: unknown;
                    /** @description The project that it goes to. Default: the project "Default", or where it is. */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description Saved as version 1; `Location` is where it is read. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string;
                        projectId: string;
                        parameters: ({
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "string";
                            default?: string;
                            /** @description The only values allowed. */
                            enum?: string[];
                        } | {
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "number";
                            default?: number;
                            /** @description The least value allowed. */
                            minimum?: number;
                            /** @description The greatest value allowed. */
                            maximum?: number;
                        })[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt?: string;
                        /** @description The newest version: what an execution runs. */
                        version?: number;
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    parameters?: ({
                        /** @description What templates and callers call it. */
                        name: string;
                        /** @description Whether every execution must pass it. */
                        required?: boolean;
                        description?: string;
                        /** @constant */
                        type: "string";
                        default?: string;
                        /** @description The only values allowed. */
                        enum?: string[];
                    } | {
                        /** @description What templates and callers call it. */
                        name: string;
                        /** @description Whether every execution must pass it. */
                        required?: boolean;
                        description?: string;
                        /** @constant */
                        type: "number";
                        default?: number;
                        /** @description The least value allowed. */
                        minimum?: number;
                        /** @description The greatest value allowed. */
                        maximum?: number;
                    })[];
                    nodes: {
                        [key: string]: {
                            /** @description The id of an operation, as GET /operations lists them. */
                            type: string;
                            /** @description Images only: the name of a socket -> a node, or a list of nodes for a socket that takes many. */
                            inputs?: {
                                [key: string]: string | string[];
                            };
                            /** @description Values of the operation, each literal or a template. */
                            params?: {
                                [key: string]: unknown;
                            };
                            /** @description Runs the node once for each value of a list, or so many times, and gives a list of images: values, a count, or a template that gives one of both. The value is `item` in its templates, and `index` counts from 0. */
                            each?: unknown;
                            /** @description Whether results may come from the cache and go there. Default true; with false the node runs each time, and so does all that follows from it. */
                            cache?: boolean;
                            /** @description A template. When it renders to nothing, `false` or `0`, the node is skipped and hands its first input on. */
                            when?: string | boolean;
                        };
                    };
                    output: {
                        /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                        node: string;
                        /** @description Default: `webp` for an animation, else `png` if the image has transparency or `lossless` is true, else `jpeg`. jpeg, avif and tiff take the first frame. Or a template. */
                        format?: unknown;
                        /** @description File name of the output image. Or a template. */
                        name?: unknown;
                        /** @description How much of the image is kept where bytes are saved; where none is lost it says nothing. Default 80, avif 50. Or a template. */
                        quality?: unknown;
                        /** @description Time spent on making the file small, at the same quality. Default medium. Or a template. */
                        effort?: unknown;
                        /** @description Whether every pixel is kept as it is. Default: true for png, false for others. Or a template. */
                        lossless?: unknown;
                        /** @description How finely colours are stored: `4:4:4` for every pixel, for text and red edges; `4:2:0` for blocks of 2 x 2. Default: jpeg 4:2:0, avif 4:4:4. Or a template. */
                        chroma?: unknown;
                        /** @description Whether a browser shows the whole image coarsely before all of it is there. Or a template. */
                        progressive?: unknown;
                        /** @description The best quality of which the file has at most so many bytes. With `quality`, that is the best that is tried. Or a template. */
                        maxBytes?: unknown;
                        /** @description Whether EXIF (with its place, without thumbnail), XMP, IPTC and density of the first source come along. Default strip. Or a template. */
                        metadata?: unknown;
                        /** @description Colours are in `srgb` with nothing embedded (default), in Display P3, or in the RGB profile of the first source, embedded. Or a template. */
                        profile?: unknown;
                        /** @description Pixels of an inch when it is printed. Changes no pixel. Or a template. */
                        density?: unknown;
                    };
                    /** @description What versions are compared by. Executions do not read them. */
                    examples?: {
                        /** @description What it shows; also the name of its golden picture. */
                        name: string;
                        /** @description As an execution passes them. */
                        parameters?: {
                            [key: string]: unknown;
                        };
                    }[];
                    /** @description The console's positions; no meaning. */
                    layout?: unknown;
                } | {
                    document: {
                        name: string;
                        description?: string;
                        parameters?: ({
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "string";
                            default?: string;
                            /** @description The only values allowed. */
                            enum?: string[];
                        } | {
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "number";
                            default?: number;
                            /** @description The least value allowed. */
                            minimum?: number;
                            /** @description The greatest value allowed. */
                            maximum?: number;
                        })[];
                        nodes: {
                            [key: string]: {
                                /** @description The id of an operation, as GET /operations lists them. */
                                type: string;
                                /** @description Images only: the name of a socket -> a node, or a list of nodes for a socket that takes many. */
                                inputs?: {
                                    [key: string]: string | string[];
                                };
                                /** @description Values of the operation, each literal or a template. */
                                params?: {
                                    [key: string]: unknown;
                                };
                                /** @description Runs the node once for each value of a list, or so many times, and gives a list of images: values, a count, or a template that gives one of both. The value is `item` in its templates, and `index` counts from 0. */
                                each?: unknown;
                                /** @description Whether results may come from the cache and go there. Default true; with false the node runs each time, and so does all that follows from it. */
                                cache?: boolean;
                                /** @description A template. When it renders to nothing, `false` or `0`, the node is skipped and hands its first input on. */
                                when?: string | boolean;
                            };
                        };
                        output: {
                            /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                            node: string;
                            /** @description Default: `webp` for an animation, else `png` if the image has transparency or `lossless` is true, else `jpeg`. jpeg, avif and tiff take the first frame. Or a template. */
                            format?: unknown;
                            /** @description File name of the output image. Or a template. */
                            name?: unknown;
                            /** @description How much of the image is kept where bytes are saved; where none is lost it says nothing. Default 80, avif 50. Or a template. */
                            quality?: unknown;
                            /** @description Time spent on making the file small, at the same quality. Default medium. Or a template. */
                            effort?: unknown;
                            /** @description Whether every pixel is kept as it is. Default: true for png, false for others. Or a template. */
                            lossless?: unknown;
                            /** @description How finely colours are stored: `4:4:4` for every pixel, for text and red edges; `4:2:0` for blocks of 2 x 2. Default: jpeg 4:2:0, avif 4:4:4. Or a template. */
                            chroma?: unknown;
                            /** @description Whether a browser shows the whole image coarsely before all of it is there. Or a template. */
                            progressive?: unknown;
                            /** @description The best quality of which the file has at most so many bytes. With `quality`, that is the best that is tried. Or a template. */
                            maxBytes?: unknown;
                            /** @description Whether EXIF (with its place, without thumbnail), XMP, IPTC and density of the first source come along. Default strip. Or a template. */
                            metadata?: unknown;
                            /** @description Colours are in `srgb` with nothing embedded (default), in Display P3, or in the RGB profile of the first source, embedded. Or a template. */
                            profile?: unknown;
                            /** @description Pixels of an inch when it is printed. Changes no pixel. Or a template. */
                            density?: unknown;
                        };
                        /** @description What versions are compared by. Executions do not read them. */
                        examples?: {
                            /** @description What it shows; also the name of its golden picture. */
                            name: string;
                            /** @description As an execution passes them. */
                            parameters?: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description The console's positions; no meaning. */
                        layout?: unknown;
                    };
                    parameters?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Whether it is valid, its problems and its plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        valid: boolean;
                        issues: {
                            path: string;
                            message: string;
                        }[];
                        warnings: {
                            path: string;
                            message: string;
                        }[];
                        steps: {
                            node: string;
                            operation: string;
                            /**
                             * @description `decide`: known only when other nodes have run. `unneeded`: no reader is left.
                             * @enum {unknown}
                             */
                            action: "run" | "skip" | "decide" | "unneeded";
                            /** @description As they will be used, defaults filled in; null where they are known only when other nodes have run. */
                            params: {
                                [key: string]: unknown;
                            } | null;
                            /** @description The node that is worked on in the same call of the image library, with no picture in between; its own id when that is the encoding. */
                            fusedWith: string | null;
                            /** @description `cache`: it would not run, because its result, or that of what follows, is there. */
                            servedFrom: "cache" | null;
                            /** @description Milliseconds: the median of this operation in the newest executions of the account. */
                            expectedDuration: number | null;
                            /** @description US dollars that calls of AI models may cost; null where a price is not known. */
                            cost?: {
                                minUsd: number;
                                maxUsd: number;
                            } | null;
                        }[];
                        /** @description Milliseconds from start to stored output, by the newest executions of the account; null where an operation has not run yet. */
                        expectedDuration: number | null;
                        /** @description US dollars that calls of AI models may cost; null where a price is not known. */
                        cost: {
                            minUsd: number;
                            maxUsd: number;
                        } | null;
                        /** @description The settings of the output as they will be used; null where they are not known yet. */
                        output: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow; `ETag` is that of its newest version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string;
                        projectId: string;
                        parameters: ({
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "string";
                            default?: string;
                            /** @description The only values allowed. */
                            enum?: string[];
                        } | {
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "number";
                            default?: number;
                            /** @description The least value allowed. */
                            minimum?: number;
                            /** @description The greatest value allowed. */
                            maximum?: number;
                        })[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt?: string;
                        /** @description The newest version: what an execution runs. */
                        version?: number;
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.replace": {
        parameters: {
            query?: {
                /** @description Whether to tell what saving would change, instead of saving. */
                compare?: "true" | "false";
            };
            header?: {
                /** @description The ETag of the version that the change is made from. */
                "If-Match"?: string;
            };
            path: {
                /** @description A workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    parameters?: ({
                        /** @description What templates and callers call it. */
                        name: string;
                        /** @description Whether every execution must pass it. */
                        required?: boolean;
                        description?: string;
                        /** @constant */
                        type: "string";
                        default?: string;
                        /** @description The only values allowed. */
                        enum?: string[];
                    } | {
                        /** @description What templates and callers call it. */
                        name: string;
                        /** @description Whether every execution must pass it. */
                        required?: boolean;
                        description?: string;
                        /** @constant */
                        type: "number";
                        default?: number;
                        /** @description The least value allowed. */
                        minimum?: number;
                        /** @description The greatest value allowed. */
                        maximum?: number;
                    })[];
                    nodes: {
                        [key: string]: {
                            /** @description The id of an operation, as GET /operations lists them. */
                            type: string;
                            /** @description Images only: the name of a socket -> a node, or a list of nodes for a socket that takes many. */
                            inputs?: {
                                [key: string]: string | string[];
                            };
                            /** @description Values of the operation, each literal or a template. */
                            params?: {
                                [key: string]: unknown;
                            };
                            /** @description Runs the node once for each value of a list, or so many times, and gives a list of images: values, a count, or a template that gives one of both. The value is `item` in its templates, and `index` counts from 0. */
                            each?: unknown;
                            /** @description Whether results may come from the cache and go there. Default true; with false the node runs each time, and so does all that follows from it. */
                            cache?: boolean;
                            /** @description A template. When it renders to nothing, `false` or `0`, the node is skipped and hands its first input on. */
                            when?: string | boolean;
                        };
                    };
                    output: {
                        /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                        node: string;
                        /** @description Default: `webp` for an animation, else `png` if the image has transparency or `lossless` is true, else `jpeg`. jpeg, avif and tiff take the first frame. Or a template. */
                        format?: unknown;
                        /** @description File name of the output image. Or a template. */
                        name?: unknown;
                        /** @description How much of the image is kept where bytes are saved; where none is lost it says nothing. Default 80, avif 50. Or a template. */
                        quality?: unknown;
                        /** @description Time spent on making the file small, at the same quality. Default medium. Or a template. */
                        effort?: unknown;
                        /** @description Whether every pixel is kept as it is. Default: true for png, false for others. Or a template. */
                        lossless?: unknown;
                        /** @description How finely colours are stored: `4:4:4` for every pixel, for text and red edges; `4:2:0` for blocks of 2 x 2. Default: jpeg 4:2:0, avif 4:4:4. Or a template. */
                        chroma?: unknown;
                        /** @description Whether a browser shows the whole image coarsely before all of it is there. Or a template. */
                        progressive?: unknown;
                        /** @description The best quality of which the file has at most so many bytes. With `quality`, that is the best that is tried. Or a template. */
                        maxBytes?: unknown;
                        /** @description Whether EXIF (with its place, without thumbnail), XMP, IPTC and density of the first source come along. Default strip. Or a template. */
                        metadata?: unknown;
                        /** @description Colours are in `srgb` with nothing embedded (default), in Display P3, or in the RGB profile of the first source, embedded. Or a template. */
                        profile?: unknown;
                        /** @description Pixels of an inch when it is printed. Changes no pixel. Or a template. */
                        density?: unknown;
                    };
                    /** @description What versions are compared by. Executions do not read them. */
                    examples?: {
                        /** @description What it shows; also the name of its golden picture. */
                        name: string;
                        /** @description As an execution passes them. */
                        parameters?: {
                            [key: string]: unknown;
                        };
                    }[];
                    /** @description The console's positions; no meaning. */
                    layout?: unknown;
                    /** @description The project that it goes to. Default: the project "Default", or where it is. */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description Saved, or compared. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string;
                        projectId: string;
                        parameters: ({
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "string";
                            default?: string;
                            /** @description The only values allowed. */
                            enum?: string[];
                        } | {
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "number";
                            default?: number;
                            /** @description The least value allowed. */
                            minimum?: number;
                            /** @description The greatest value allowed. */
                            maximum?: number;
                        })[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt?: string;
                        /** @description The newest version: what an execution runs. */
                        version?: number;
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                        /** @description With `compare=true`: what saving would change. Nothing was saved. */
                        comparison?: {
                            examples: {
                                name: string;
                                /**
                                 * @description `encoded`: the same pixels in another format, or at another quality. `resized`: other sizes or numbers of frames. `failed`: one side or both gave no image; its error is there instead.
                                 * @enum {unknown}
                                 */
                                result: "same" | "encoded" | "different" | "resized" | "failed";
                                before: {
                                    width: number;
                                    height: number;
                                    /** @enum {unknown} */
                                    format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                                    /** @description Bytes. */
                                    size: number;
                                } | {
                                    error: {
                                        code: string;
                                        message: string;
                                        details: {
                                            [key: string]: unknown;
                                        };
                                    };
                                };
                                after: {
                                    width: number;
                                    height: number;
                                    /** @enum {unknown} */
                                    format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                                    /** @description Bytes. */
                                    size: number;
                                } | {
                                    error: {
                                        code: string;
                                        message: string;
                                        details: {
                                            [key: string]: unknown;
                                        };
                                    };
                                };
                                /** @description The share of pixels that differ at all, 0 to 1, before the picture is encoded. */
                                differing: number | null;
                                /** @description The largest difference of a channel, 0 to 255. */
                                maxDifference: number | null;
                                /** @description Peak signal to noise, in dB; null where nothing differs, or sizes do. */
                                psnr: number | null;
                            }[];
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.getDocument": {
        parameters: {
            query?: {
                /** @description Default: the newest version. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description A workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document; `ETag` names its version, for `If-Match` of a PUT. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        description?: string;
                        parameters?: ({
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "string";
                            default?: string;
                            /** @description The only values allowed. */
                            enum?: string[];
                        } | {
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "number";
                            default?: number;
                            /** @description The least value allowed. */
                            minimum?: number;
                            /** @description The greatest value allowed. */
                            maximum?: number;
                        })[];
                        nodes: {
                            [key: string]: {
                                /** @description The id of an operation, as GET /operations lists them. */
                                type: string;
                                /** @description Images only: the name of a socket -> a node, or a list of nodes for a socket that takes many. */
                                inputs?: {
                                    [key: string]: string | string[];
                                };
                                /** @description Values of the operation, each literal or a template. */
                                params?: {
                                    [key: string]: unknown;
                                };
                                /** @description Runs the node once for each value of a list, or so many times, and gives a list of images: values, a count, or a template that gives one of both. The value is `item` in its templates, and `index` counts from 0. */
                                each?: unknown;
                                /** @description Whether results may come from the cache and go there. Default true; with false the node runs each time, and so does all that follows from it. */
                                cache?: boolean;
                                /** @description A template. When it renders to nothing, `false` or `0`, the node is skipped and hands its first input on. */
                                when?: string | boolean;
                            };
                        };
                        output: {
                            /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                            node: string;
                            /** @description Default: `webp` for an animation, else `png` if the image has transparency or `lossless` is true, else `jpeg`. jpeg, avif and tiff take the first frame. Or a template. */
                            format?: unknown;
                            /** @description File name of the output image. Or a template. */
                            name?: unknown;
                            /** @description How much of the image is kept where bytes are saved; where none is lost it says nothing. Default 80, avif 50. Or a template. */
                            quality?: unknown;
                            /** @description Time spent on making the file small, at the same quality. Default medium. Or a template. */
                            effort?: unknown;
                            /** @description Whether every pixel is kept as it is. Default: true for png, false for others. Or a template. */
                            lossless?: unknown;
                            /** @description How finely colours are stored: `4:4:4` for every pixel, for text and red edges; `4:2:0` for blocks of 2 x 2. Default: jpeg 4:2:0, avif 4:4:4. Or a template. */
                            chroma?: unknown;
                            /** @description Whether a browser shows the whole image coarsely before all of it is there. Or a template. */
                            progressive?: unknown;
                            /** @description The best quality of which the file has at most so many bytes. With `quality`, that is the best that is tried. Or a template. */
                            maxBytes?: unknown;
                            /** @description Whether EXIF (with its place, without thumbnail), XMP, IPTC and density of the first source come along. Default strip. Or a template. */
                            metadata?: unknown;
                            /** @description Colours are in `srgb` with nothing embedded (default), in Display P3, or in the RGB profile of the first source, embedded. Or a template. */
                            profile?: unknown;
                            /** @description Pixels of an inch when it is printed. Changes no pixel. Or a template. */
                            density?: unknown;
                        };
                        /** @description What versions are compared by. Executions do not read them. */
                        examples?: {
                            /** @description What it shows; also the name of its golden picture. */
                            name: string;
                            /** @description As an execution passes them. */
                            parameters?: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description The console's positions; no meaning. */
                        layout?: unknown;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "workflows.listVersions": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description A workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            version: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                            /** @description What whoever published it said of it. */
                            note?: string;
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "drafts.list": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description Only that of this workflow: whether there is one. */
                workflowId?: string;
                /** @description Only those of this project. */
                projectId?: string;
                /** @description Only those whose name contains this, in upper or lower case. */
                search?: string;
                /** @description `lastOutput`: tell of each what its newest execution gave. */
                include?: "lastOutput";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of drafts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        drafts: {
                            /** @description Of a workflow that was never published, the id that it will have. */
                            workflowId: string;
                            /** @description The document's, or `Untitled`. */
                            name: string;
                            projectId: string;
                            /** @description The version that it began from; 0: there was none. */
                            baseVersion: number;
                            /** @description Goes up with each save; also the `ETag`. */
                            revision: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            updatedAt: string;
                            /** @description With `include=lastOutput`: what its newest execution gave that ran to the output, unless that image was deleted. */
                            lastOutput?: {
                                executionId: string;
                                url: string;
                                width: number;
                                height: number;
                                /** @enum {unknown} */
                                format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC.
                                 */
                                completedAt: string;
                            };
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "drafts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The workflow document so far: any JSON object. What is wrong in it is told when it is executed or published. */
                    document?: {
                        [key: string]: unknown;
                    };
                    /** @description The project that it goes to. Default: the project "Default". */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description Saved; `Location` is where it is read. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a workflow that was never published, the id that it will have. */
                        workflowId: string;
                        /** @description The document's, or `Untitled`. */
                        name: string;
                        projectId: string;
                        /** @description The version that it began from; 0: there was none. */
                        baseVersion: number;
                        /** @description Goes up with each save; also the `ETag`. */
                        revision: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt: string;
                        /** @description The workflow document so far: any JSON object. What is wrong in it is told when it is executed or published. */
                        document: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "drafts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workflow, or the id that is reserved for one. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft; `ETag` names its revision, for `If-Match`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a workflow that was never published, the id that it will have. */
                        workflowId: string;
                        /** @description The document's, or `Untitled`. */
                        name: string;
                        projectId: string;
                        /** @description The version that it began from; 0: there was none. */
                        baseVersion: number;
                        /** @description Goes up with each save; also the `ETag`. */
                        revision: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt: string;
                        /** @description The workflow document so far: any JSON object. What is wrong in it is told when it is executed or published. */
                        document: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "drafts.save": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that the change is made from. */
                "If-Match"?: string;
            };
            path: {
                /** @description A workflow, or the id that is reserved for one. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The workflow document so far: any JSON object. What is wrong in it is told when it is executed or published. */
                    document: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Saved; `ETag` names the new revision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a workflow that was never published, the id that it will have. */
                        workflowId: string;
                        /** @description The document's, or `Untitled`. */
                        name: string;
                        projectId: string;
                        /** @description The version that it began from; 0: there was none. */
                        baseVersion: number;
                        /** @description Goes up with each save; also the `ETag`. */
                        revision: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt: string;
                        /** @description The workflow document so far: any JSON object. What is wrong in it is told when it is executed or published. */
                        document: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Saved as the first of a new draft. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a workflow that was never published, the id that it will have. */
                        workflowId: string;
                        /** @description The document's, or `Untitled`. */
                        name: string;
                        projectId: string;
                        /** @description The version that it began from; 0: there was none. */
                        baseVersion: number;
                        /** @description Goes up with each save; also the `ETag`. */
                        revision: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt: string;
                        /** @description The workflow document so far: any JSON object. What is wrong in it is told when it is executed or published. */
                        document: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "drafts.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workflow, or the id that is reserved for one. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "drafts.publish": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description A workflow, or the id that is reserved for one. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What is to be said of the version in the list of versions. */
                    note?: string;
                    /** @description Publish also when the workflow has been saved since. Default false. */
                    overwrite?: boolean;
                };
            };
        };
        responses: {
            /** @description Published; `ETag` names the version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string;
                        projectId: string;
                        parameters: ({
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "string";
                            default?: string;
                            /** @description The only values allowed. */
                            enum?: string[];
                        } | {
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "number";
                            default?: number;
                            /** @description The least value allowed. */
                            minimum?: number;
                            /** @description The greatest value allowed. */
                            maximum?: number;
                        })[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt?: string;
                        /** @description The newest version: what an execution runs. */
                        version?: number;
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Published for the first time; `Location` is where the workflow is read. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string;
                        projectId: string;
                        parameters: ({
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "string";
                            default?: string;
                            /** @description The only values allowed. */
                            enum?: string[];
                        } | {
                            /** @description What templates and callers call it. */
                            name: string;
                            /** @description Whether every execution must pass it. */
                            required?: boolean;
                            description?: string;
                            /** @constant */
                            type: "number";
                            default?: number;
                            /** @description The least value allowed. */
                            minimum?: number;
                            /** @description The greatest value allowed. */
                            maximum?: number;
                        })[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt?: string;
                        /** @description The newest version: what an execution runs. */
                        version?: number;
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "drafts.execute": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description A workflow, or the id that is reserved for one. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Keys are the draft's parameter names. */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description Run to this node: its image is the output, in the default format. */
                    node?: string;
                    /** @description Whether a small picture of what each step gives is kept, to look at while it runs and afterwards. Default false. */
                    previews?: boolean;
                    /** @description Return at once with an execution id. Default false. */
                    async?: boolean;
                };
            };
        };
        responses: {
            /** @description It has completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        /** @constant */
                        status: "completed";
                        output: {
                            url: string;
                            width: number;
                            height: number;
                            /** @enum {unknown} */
                            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                            imageId?: string;
                        };
                        /** @description Milliseconds from the acceptance of the request to the stored output. */
                        duration: number;
                        /** @description What its calls of AI models cost; only where there were any. */
                        cost?: {
                            /** @description US dollars. */
                            usd: number;
                            /** @description Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known. */
                            unknown?: number;
                        };
                    };
                };
            };
            /** @description It is recorded and goes on; `Location` is where to poll. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        /** @enum {unknown} */
                        status: "pending" | "running";
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /**
             * @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log.
             *
             *     `workflow_failed`: `details.reason` says why, `details.node` and `details.operation` say where.
             */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error" | "workflow_failed";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "images.upload": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description The file itself. */
                    file: string;
                    /** @description The project in which to store it. */
                    projectId?: string;
                    /** @description Custom file name. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Stored; `Location` is where it is read. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        url: string;
                        /** @description File name. */
                        name: string;
                        /** @description Bytes. */
                        size: number;
                        /** @enum {unknown} */
                        format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                        width: number;
                        height: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        projectId?: string;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "images.list": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description Only those of this project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of images. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        images: {
                            id: string;
                            url: string;
                            name: string;
                            size: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "images.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An image. */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        url: string;
                        /** @description File name. */
                        name: string;
                        /** @description Bytes. */
                        size: number;
                        /** @enum {unknown} */
                        format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg";
                        width: number;
                        height: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        projectId?: string;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "images.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An image. */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "images.content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `<id>.<extension>` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": unknown;
                };
            };
            /** @description The range that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description The range is not within the image. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "fonts.list": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of fonts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fonts: {
                            id: string;
                            /** @description What texts call it by; files of one family differ in weight and slant. */
                            family: string;
                            /** @enum {unknown} */
                            format: "ttf" | "otf" | "woff2";
                            /** @description Lightest weight, 1 to 1000. */
                            weightMin: number;
                            /** @description Boldest weight; another than the lightest only of a variable font. */
                            weightMax: number;
                            italic: boolean;
                            /** @description Bytes. */
                            size: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "fonts.upload": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description The file itself. */
                    file: string;
                    /** @description What to call its family. Default: its own name. */
                    family?: string;
                };
            };
        };
        responses: {
            /** @description Stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description What texts call it by; files of one family differ in weight and slant. */
                        family: string;
                        /** @enum {unknown} */
                        format: "ttf" | "otf" | "woff2";
                        /** @description Lightest weight, 1 to 1000. */
                        weightMin: number;
                        /** @description Boldest weight; another than the lightest only of a variable font. */
                        weightMax: number;
                        italic: boolean;
                        /** @description Bytes. */
                        size: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "fonts.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A font. */
                fontId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "projects.list": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        projects: {
                            id: string;
                            name: string;
                            description: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            updatedAt: string;
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "projects.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body replay the first answer for 24 hours; another body under the same key is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        updatedAt: string;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "operations.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operations: {
                            /** @description The word in a node's `type`. */
                            id: string;
                            version: number;
                            title: string;
                            summary: string;
                            /** @enum {unknown} */
                            group: "source" | "ai" | "geometry" | "colour" | "filter" | "combine" | "text" | "analyse" | "animation";
                            inputs: {
                                name: string;
                                description: string;
                                required: boolean;
                                many: boolean;
                            }[];
                            /** @description JSON Schema. */
                            params: unknown;
                            outputs: {
                                /** @description Null where there is none, and nothing can be wired to it. */
                                image: string | null;
                                values: {
                                    [key: string]: unknown;
                                };
                            };
                            /**
                             * @description What becomes of transparency. kept: every pixel keeps its own; moved: it goes where the pixels go; made: the operation decides.
                             * @enum {unknown}
                             */
                            alpha: "kept" | "moved" | "made";
                            /**
                             * @description What becomes of an animation. each: every frame by itself; whole: all frames together; first: only the first counts; none: it takes no image.
                             * @enum {unknown}
                             */
                            frames: "each" | "whole" | "first" | "none";
                            /** @description What it asks AI models for, as `GET /providers` lists what models can do; null where it asks none. */
                            asks: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge") | null;
                            /** @description Whether the same inputs and params always give the same. False also where that depends on a param, such as a seed. */
                            deterministic: boolean;
                            examples: {
                                name: string;
                                params: {
                                    [key: string]: unknown;
                                };
                            }[];
                        }[];
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "providers.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All providers, in the order in which a default is looked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        providers: {
                            /** @description What stands before the slash of a model. */
                            id: string;
                            title: string;
                            summary: string;
                            docsUrl: string | null;
                            configured: boolean;
                            /** @description Settings of the service that would enable it. */
                            missing: string[];
                            /** @description Why it is not configured. */
                            problem: string | null;
                            capabilities: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge")[];
                            models: {
                                /** @description `provider/model`; one that ends in `*` stands for all that begin so. */
                                model: string;
                                /** @description By capability. */
                                can: {
                                    [key: string]: {
                                        sizes?: {
                                            listed: string[];
                                        } | {
                                            free: {
                                                sideMin: number;
                                                sideMax: number;
                                                /** @description Sides are multiples of it. */
                                                step?: number;
                                                pixelsMax?: number;
                                            };
                                        };
                                        aspectRatios?: string[];
                                        seed?: boolean;
                                        transparency?: boolean;
                                        /** @description Images that it takes, the mask not counted. */
                                        imagesMax?: number;
                                        scales?: number[];
                                        /** @description Whether it takes words. */
                                        prompt?: boolean;
                                        /** @description US dollars; null where it is not known. The `...Max` bound what is set aside of a budget. */
                                        price: {
                                            /** @description Of what: call, image, megapixel, unit, second, or (a million) tokens. */
                                            per: string;
                                            /** @description The month of the price list. */
                                            asOf: string;
                                            usd?: number;
                                            unitsMax?: number;
                                            secondsMax?: number;
                                            inputUsd?: number;
                                            outputUsd?: number;
                                            inputMax?: number;
                                            outputMax?: number;
                                        } | null;
                                    };
                                };
                                defaultFor: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge")[];
                                /** @description Why it cannot be asked although its provider is configured: one that is not installed. */
                                problem: string | null;
                            }[];
                        }[];
                        /** @description Models that are tried, in this order, where a node names none. */
                        defaults: {
                            generate: string[];
                            edit: string[];
                            inpaint: string[];
                            "remove-background": string[];
                            upscale: string[];
                            describe: string[];
                            write: string[];
                            judge: string[];
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "usage.get": {
        parameters: {
            query?: {
                /** @description The first day, `2026-11-01`. Default: the first of the month of `to`. */
                from?: string;
                /** @description The last day, `2026-11-21`, less than 366 days later. Default: today. */
                to?: string;
                /** @description Only what this workflow has caused. */
                workflowId?: string;
                /** @description Only what was begun with this key. */
                keyId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The first day. */
                        from: string;
                        /** @description The last day. */
                        to: string;
                        totals: {
                            /** @description Calls that gave an answer. */
                            calls: number;
                            /** @description Calls that gave none. */
                            failures: number;
                            /** @description US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known. */
                            costUsd: number;
                            /** @description Calls whose cost nobody knows. */
                            unknownCosts: number;
                        };
                        months: {
                            month: string;
                            /** @description Calls that gave an answer. */
                            calls: number;
                            /** @description Calls that gave none. */
                            failures: number;
                            /** @description US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known. */
                            costUsd: number;
                            /** @description Calls whose cost nobody knows. */
                            unknownCosts: number;
                        }[];
                        days: {
                            day: string;
                            /** @description Calls that gave an answer. */
                            calls: number;
                            /** @description Calls that gave none. */
                            failures: number;
                            /** @description US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known. */
                            costUsd: number;
                            /** @description Calls whose cost nobody knows. */
                            unknownCosts: number;
                        }[];
                        workflows: {
                            workflowId: string;
                            /** @description Calls that gave an answer. */
                            calls: number;
                            /** @description Calls that gave none. */
                            failures: number;
                            /** @description US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known. */
                            costUsd: number;
                            /** @description Calls whose cost nobody knows. */
                            unknownCosts: number;
                        }[];
                        keys: {
                            /** @description Null: begun by a command of the operator. */
                            keyId: string | null;
                            /** @description Calls that gave an answer. */
                            calls: number;
                            /** @description Calls that gave none. */
                            failures: number;
                            /** @description US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known. */
                            costUsd: number;
                            /** @description Calls whose cost nobody knows. */
                            unknownCosts: number;
                        }[];
                        models: {
                            model: string;
                            /** @description Calls that gave an answer. */
                            calls: number;
                            /** @description Calls that gave none. */
                            failures: number;
                            /** @description US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known. */
                            costUsd: number;
                            /** @description Calls whose cost nobody knows. */
                            unknownCosts: number;
                        }[];
                        /** @description Of the account, in the month that it is (UTC). */
                        budget: {
                            month: string;
                            /** @description Most that may be spent; null: no bound. */
                            monthUsd: number | null;
                            spentUsd: number;
                            /** @description Set aside for calls that have not ended. */
                            reservedUsd: number;
                        };
                        /** @description What the whole account did, by the day (UTC) on which a request was answered and an execution ended; left out where only a workflow or a key is asked for. Requests may be missing for some seconds. */
                        activity?: {
                            totals: {
                                /** @description Requests with a key of the account, as they were answered. */
                                requests: number;
                                /** @description Of them, those that were answered with 4xx or 503. */
                                refused: number;
                                /** @description Executions that ended: completed and failed. */
                                executions: number;
                                completed: number;
                                failed: number;
                                /** @description Failed executions by `details.reason`, the most frequent first. */
                                failures: {
                                    reason: string;
                                    count: number;
                                }[];
                                /** @description Milliseconds from acceptance to the stored output, to 1 %, of executions that completed; null where none did. */
                                duration: {
                                    median: number;
                                    /** @description Of 100 executions, 95 took no longer. */
                                    p95: number;
                                } | null;
                            };
                            /** @description Every day of the range, oldest first. */
                            days: {
                                day: string;
                                /** @description Requests with a key of the account, as they were answered. */
                                requests: number;
                                /** @description Of them, those that were answered with 4xx or 503. */
                                refused: number;
                                /** @description Executions that ended: completed and failed. */
                                executions: number;
                                completed: number;
                                failed: number;
                                /** @description Failed executions by `details.reason`, the most frequent first. */
                                failures: {
                                    reason: string;
                                    count: number;
                                }[];
                                /** @description Milliseconds from acceptance to the stored output, to 1 %, of executions that completed; null where none did. */
                                duration: {
                                    median: number;
                                    /** @description Of 100 executions, 95 took no longer. */
                                    p95: number;
                                } | null;
                            }[];
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "keys.list": {
        parameters: {
            query?: {
                /** @description Most results to give. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            id: string;
                            name: string;
                            /** @description The first 12 characters of the key: all that is ever shown again. */
                            prefix: string;
                            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC. In the future where it was rotated and still holds.
                             */
                            revokedAt?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC; up to a minute behind.
                             */
                            lastUsedAt?: string;
                            /** @description Whether it is the key of this request. */
                            current: boolean;
                        }[];
                        /** @description How many match in all. */
                        total: number;
                        /** @description Whether there are more after these. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "keys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key again is refused for 24 hours with the id of what was made: the text is not kept, so the first answer cannot be replayed. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Default: `all`. */
                    permissions?: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                    /** @description Days of 24 hours. Default: never. */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description The first 12 characters of the key: all that is ever shown again. */
                        prefix: string;
                        permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        expiresAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC. In the future where it was rotated and still holds.
                         */
                        revokedAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC; up to a minute behind.
                         */
                        lastUsedAt?: string;
                        /** @description Whether it is the key of this request. */
                        current: boolean;
                        /** @description The key itself: shown this once, and kept nowhere. */
                        key: string;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "keys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key, not its text. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, which holds no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description The first 12 characters of the key: all that is ever shown again. */
                        prefix: string;
                        permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        expiresAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC. In the future where it was rotated and still holds.
                         */
                        revokedAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC; up to a minute behind.
                         */
                        lastUsedAt?: string;
                        /** @description Whether it is the key of this request. */
                        current: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "keys.rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key again is refused for 24 hours with the id of what was made: the text is not kept, so the first answer cannot be replayed. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a key that holds, not its text. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Default: 86400, a day. */
                    overlapSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The new key, and the one that it replaces. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description The first 12 characters of the key: all that is ever shown again. */
                        prefix: string;
                        permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC.
                         */
                        expiresAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC. In the future where it was rotated and still holds.
                         */
                        revokedAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC; up to a minute behind.
                         */
                        lastUsedAt?: string;
                        /** @description Whether it is the key of this request. */
                        current: boolean;
                        /** @description The key itself: shown this once, and kept nowhere. */
                        key: string;
                        replaced: {
                            id: string;
                            name: string;
                            /** @description The first 12 characters of the key: all that is ever shown again. */
                            prefix: string;
                            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC. In the future where it was rotated and still holds.
                             */
                            revokedAt?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC; up to a minute behind.
                             */
                            lastUsedAt?: string;
                            /** @description Whether it is the key of this request. */
                            current: boolean;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "session.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account and the key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        account: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            plan: "free" | "starter" | "pro" | "enterprise";
                        };
                        key: {
                            id: string;
                            name: string;
                            /** @description The first characters of the key. */
                            prefix: string;
                            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            expiresAt?: string;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "session.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An API key. */
                    key: string;
                };
            };
        };
        responses: {
            /** @description Signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        account: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            plan: "free" | "starter" | "pro" | "enterprise";
                        };
                        key: {
                            id: string;
                            name: string;
                            /** @description The first characters of the key. */
                            prefix: string;
                            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            expiresAt?: string;
                        };
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `unauthorized`: The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unauthorized";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `rate_limited`: The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "rate_limited";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "session.delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "forbidden";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "service.openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "service.docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "service.docsFile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "service.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "service.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            /** @description `invalid_request`: The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "invalid_request";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
    "service.securityTxt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "not_found";
                        };
                    };
                };
            };
            /** @description `internal_error`: Something failed that no caller can mend. Only the request id is told; the cause is in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "internal_error";
                        };
                    };
                };
            };
            /** @description `unavailable`: The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        error?: {
                            /** @enum {unknown} */
                            code?: "unavailable";
                        };
                    };
                };
            };
        };
    };
}
