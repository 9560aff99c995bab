import type { ParameterObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import type { ClauseId } from "../clauses/register.js";
import { getAllowedAnswers, type Strictness } from "../gaps/strictness.js";
import type { GapId } from "../gaps/register.js";
import type { ProblemKind } from "./problems.js";
import type { Profile } from "../gaps/profile.js";
import { getPathParameters } from "../text/path-template.js";
import { getPathParameter } from "./parameters.js";
import { ref } from "../schemas/ref.js";
import { type Role, roles, type Scope } from "../schemas/roles.js";

/** The callers that an operation accepts. */
export type Access =
  | { readonly kind: "public" }
  | {
      readonly kind: "protected";
      /** Roles whose JWT is accepted. */
      readonly roles: readonly Role[] | RolesByAnswer;
      /**
       * Where the role is looked up: in the organization that the token is for, in the organization of the path, or
       * nowhere, because any user may call the operation.
       */
      readonly roleIn: "token" | "path" | "none";
      /** The scope that an API key needs, or `any` if the operation itself decides. Without it, API keys are refused. */
      readonly scope?: Scope | "any" | ScopeByAnswer;
      /** Gap whose answer `api-key` means that access tokens are refused. */
      readonly tokenGap?: "data-credential";
    };

/** Access to data, with the token of a user or an API key. */
export function defineDataAccess(roles: readonly Role[], scope: Scope): Access {
  return { kind: "protected", roles, roleIn: "token", scope, tokenGap: "data-credential" };
}

/** Accepted roles that depend on a gap. */
interface RolesByAnswer {
  readonly gap: GapId;
  readonly byAnswer: Readonly<Record<string, readonly Role[]>>;
}

/** Returns the roles whose JWT an operation accepts in the strict or the open document, in the order of the roles. */
export function getRoles(access: Access, strictness: Strictness): readonly Role[] {
  if (access.kind === "public") return [];
  const given = access.roles;
  if (!("gap" in given)) return given;
  const accepted = getAllowedAnswers(strictness, given.gap).flatMap(
    (answer) => given.byAnswer[String(answer)] ?? [],
  );
  return roles.filter((role) => accepted.includes(role));
}

/** A required scope of API keys that depends on a gap. */
interface ScopeByAnswer {
  readonly gap: GapId;
  readonly byAnswer: Readonly<Record<string, Scope>>;
}

/** Returns the scope that an API key needs in the strict or the open document; undefined if API keys are refused. */
export function getScope(access: Access, strictness: Strictness): Scope | "any" | undefined {
  if (access.kind === "public") return undefined;
  const { scope } = access;
  if (typeof scope !== "object") return scope;
  return getAllowedAnswers(strictness, scope.gap)
    .map((answer) => scope.byAnswer[String(answer)])
    .find((known) => known !== undefined);
}

/** Whether access tokens are accepted in the strict or the open document. */
export function acceptsTokens(access: Access, strictness: Strictness): boolean {
  if (access.kind === "public" || access.tokenGap === undefined) return true;
  return getAllowedAnswers(strictness, access.tokenGap).some((answer) => answer !== "api-key");
}

/** Whether an unnecessary credential may be refused if it is invalid: the open document allows both. */
export function mayRejectInvalidCredential({ kind }: Access, strictness: Strictness): boolean {
  return kind === "public" && strictness.kind === "open";
}

export type Method = "get" | "put" | "post" | "delete" | "patch";

/** One way to reach an operation. */
export interface Route {
  readonly method: Method;
  readonly path: string;
}

/** Routes that depend on a gap. */
export interface GapRoutes {
  readonly gap: GapId;
  /** The possible routes when some gaps are answered. If all relevant gaps are, there is one alternative. */
  readonly alternatives: (known: Partial<Profile>) => readonly (readonly Route[])[];
}

/** The routes of an operation: fixed by a clause, or depending on a gap. */
export type Routes = Route | GapRoutes;

export type Schema = SchemaObject | ReferenceObject;

export interface ResponseDefinition {
  /** `"4XX"` and the like if the open document does not fix the status. */
  readonly status: number | "2XX" | "4XX" | "5XX";
  readonly description: string;
  /** Omitted for an empty body. */
  readonly schema?: Schema;
  /** The example body, if it differs from the example of the operation. */
  readonly example?: object;
  /** Names of the examples in the document that show such a response. */
  readonly examples?: readonly string[];
  /** Media type of a file that is sent instead of JSON to callers that accept it. */
  readonly file?: string;
  /** The schema of the file, if it is JSON; otherwise the file is binary. */
  readonly fileSchema?: Schema;
  readonly gap?: GapId;
}

/** What the contract says about one operation, for the strict and the open document. */
export interface OperationDefinition {
  readonly tag: string;
  readonly summary: string;
  /**
   * What the operation does: what the specification says and, with the id of the gap, what the emulator does where the
   * specification says nothing.
   */
  readonly description?: string;
  readonly routes: Routes;
  readonly access: Access;
  /** Whether the operation changes anything; a suspended organization may only read. */
  readonly effect: "read" | "write";
  /** Query parameters. Path parameters are derived from the path. */
  readonly parameters?: (strictness: Strictness) => readonly ParameterObject[];
  readonly requestBody?: Schema;
  /** Media type of the body, if it is a file instead of JSON. */
  readonly requestFile?: string;
  readonly successes: (strictness: Strictness) => readonly ResponseDefinition[];
  /**
   * `sql`: mistakes that the operation itself finds are reported with the SQL error body of part 7, not with a problem.
   */
  readonly errorBody?: "sql";
  /** Kinds of problems, in addition to those that follow from the access and the body. */
  readonly problems: readonly ProblemKind[];
  /** Clauses that apply to the operation. The first one describes the response. */
  readonly clauses: readonly ClauseId[];
  /** Values for path parameters, request body and first success: shown in the document. */
  readonly example: {
    readonly parameters: Readonly<Record<string, string>>;
    readonly request?: unknown;
    /** A function if the response depends on the profile; see {@link getExampleResponse}. */
    readonly response?: unknown;
  };
}

/** Returns the example of the first success in the strict or the open document; undefined for an empty body. */
export function getExampleResponse(
  { example: { response } }: OperationDefinition,
  strictness: Strictness,
): unknown {
  return typeof response === "function"
    ? (response as (strictness: Strictness) => unknown)(strictness)
    : response;
}

/** The input for an operation: without fields that its group defines or that are derived. */
type OperationInput = Omit<
  OperationDefinition,
  "tag" | "access" | "effect" | "successes" | "problems" | "clauses" | "example"
> &
  Partial<Pick<OperationDefinition, "access" | "effect" | "problems" | "clauses">> & {
    /** A list, or a function if the responses depend on the profile. */
    readonly successes: readonly ResponseDefinition[] | OperationDefinition["successes"];
    /** Names only the path parameters whose values differ from {@link getPathParameter}. */
    readonly example?: Partial<OperationDefinition["example"]>;
  };
type OperationDefaults = Pick<OperationDefinition, "tag"> & Partial<OperationDefinition>;

/**
 * Returns a function that defines the operations of a group and keeps their ids as literal types. In a group without
 * `clauses`, no clauses apply to the operations.
 */
export function defineOperationGroup({ clauses, problems = [], ...group }: OperationDefaults) {
  const complete = ({ successes, example = {}, ...own }: OperationInput): OperationDefinition => {
    const routes = getRoutes(own);
    const names = routes.flatMap(({ path }) => getPathParameters(path));
    const usual = Object.fromEntries(names.map((name) => [name, getPathParameter(name).example]));
    const definition = {
      access: { kind: "public" } as const,
      effect: routes[0]?.method === "get" ? ("read" as const) : ("write" as const),
      ...group,
      ...own,
      successes: typeof successes === "function" ? successes : () => successes,
      problems: [...problems, ...(own.problems ?? [])],
      clauses: [],
      example: { ...example, parameters: { ...usual, ...example.parameters } },
    };
    if (clauses === undefined) return definition;
    return { ...definition, clauses: [...(own.clauses ?? []), ...clauses, ...inferClauses(definition)] };
  };
  return <const Ids extends string>(operations: Readonly<Record<Ids, OperationInput>>) =>
    Object.fromEntries(
      Object.entries<OperationInput>(operations).map(([id, given]) => [id, complete(given)]),
    ) as Readonly<Record<Ids, OperationDefinition>>;
}

type RoutedInput = Omit<OperationInput, "routes" | "summary">;

/** Defines an operation with a fixed route: `get("/health", "Check the health of the service", { … })`. */
function defineRoute(method: Method) {
  return (path: string, summary: string, more: RoutedInput): OperationInput => ({
    ...more,
    summary,
    routes: { method, path },
  });
}
export const get = defineRoute("get");
export const put = defineRoute("put");
export const post = defineRoute("post");
export const patch = defineRoute("patch");
export const remove = defineRoute("delete");

/** Defines a success whose body is empty or has a schema of the document. */
export function defineSuccess(
  status: number,
  description: string,
  schema?: string,
  more: Partial<ResponseDefinition> = {},
): ResponseDefinition {
  return { status, description, ...(schema === undefined ? {} : { schema: ref(schema) }), ...more };
}

/** Returns the routes that an operation can have when some gaps are answered; by default, all known routes. */
export function getRoutes(
  { routes }: Pick<OperationDefinition, "routes">,
  known: Partial<Profile> = {},
): readonly Route[] {
  return "gap" in routes ? routes.alternatives(known).flat() : [routes];
}

/** The clauses for operations with a body, and for operations that the role readonly may not call. */
function inferClauses({ requestBody, access, effect }: OperationDefinition): readonly ClauseId[] {
  const isKeptFromReaders =
    access.kind === "protected" &&
    effect === "write" &&
    !getRoles(access, { kind: "open" }).includes("readonly");
  return [
    ...(requestBody === undefined ? [] : (["GEN-09"] as const)),
    ...(isKeptFromReaders ? (["AUTH-26"] as const) : []),
  ];
}
