import type { z } from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface Reference {
  readonly $ref: string;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, Example>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Readonly<Record<"application/json", MediaType>>;
}

export interface Operation {
  /** The procedure's dotted name on tRPC. */
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly [];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<"application/json", MediaType>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export type Method = "get" | "post" | "put" | "delete";

/** OpenAPI 3.1, as much of it as is used here. */
export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}
