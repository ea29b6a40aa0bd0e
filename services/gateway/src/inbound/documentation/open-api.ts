/** The parts of an OpenAPI document that the page shows. */
type Reference = { readonly $ref?: string };

export type Schema = Reference & {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly (string | null)[];
  readonly const?: string;
  readonly default?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The rule of a pattern in words. */
  readonly 'x-rule'?: string;
};

export type Example = { readonly summary: string; readonly value: unknown };
export type Content = {
  readonly 'application/json': { readonly schema: Schema; readonly examples: Readonly<Record<string, Example>> };
};
export type Header = Reference & { readonly description: string };
export type Response = Reference & {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header>>;
  readonly content?: Content;
};
export type Parameter = Reference & {
  readonly name: string;
  readonly in: 'path' | 'header';
  readonly description: string;
  readonly example: string;
};
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly [{ readonly apiKey: readonly [scope: string] }];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
};
type PathItem = { readonly parameters?: readonly Parameter[] } & Readonly<Record<string, Operation>>;

export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
};

/** One call: an operation with its place. */
export type Call = Operation & {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
};

/** Every call, in the order of the document. */
export function callsOf(document: OpenApi): readonly Call[] {
  return Object.entries(document.paths).flatMap(([path, { parameters = [], ...operations }]) =>
    Object.entries(operations as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
      ...operation,
      ...{ method: method.toUpperCase(), path },
      parameters: [...parameters, ...(operation.parameters ?? [])].map((parameter) => resolve(document, parameter)),
    })),
  );
}

/** The target of a reference within the document; anything else is returned unchanged. */
export function resolve<T extends Reference>(document: OpenApi, value: T): T {
  if (value.$ref === undefined) return value;
  const keys = value.$ref.replace('#/', '').split('/');
  return keys.reduce<unknown>((node, key) => (node as Readonly<Record<string, unknown>>)[key], document) as T;
}

/** `Sport` of a reference to `#/components/schemas/Sport`. */
export function schemaName({ $ref }: Reference): string | undefined {
  return $ref?.split('/').at(-1);
}
