import type { ParameterObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import type { ClauseId } from "../clauses/register.js";
import { getAllowedAnswers, type Strictness } from "../gaps/strictness.js";
import type { GapId } from "../gaps/register.js";
import type { ProblemKind } from "./problems.js";
import type { Profile } from "../gaps/profile.js";
import { ref } from "../schemas/ref.js";
import { type Role, roles, type Scope } from "../schemas/roles.js";

/** The callers that an operation accepts. */
export type Access =
  | {
      readonly kind: "public";
      /** Gap that decides, with the answer `refused`, that a credential has to be valid where one is sent. */
      readonly credentialGap?: "needless-credential";
    }
  | {
      readonly kind: "protected";
      /** Roles whose JWT is accepted. */
      readonly roles: readonly Role[] | RolesByAnswer;
      /**
       * Where the role is looked up: in the organization the token is for, in the organization of the path,
       * or nowhere, because any user may call the operation.
       */
      readonly roleIn: "token" | "path" | "none";
      /** The scope an API key needs, or `any`, where the operation itself decides; without it API keys are refused. */
      readonly scope?: Scope | "any" | ScopeByAnswer;
      /** Gap that decides, with the answer `api-key`, that access tokens are refused. */
      readonly tokenGap?: "data-credential";
    };

/** A gap decides whose JWT is accepted. */
interface RolesByAnswer {
  readonly gap: GapId;
  readonly byAnswer: Readonly<Record<string, readonly Role[]>>;
}

/** The roles whose JWT an operation accepts in the strict or the open document, in the order of the roles. */
export function getRoles(access: Access, strictness: Strictness): readonly Role[] {
  if (access.kind === "public") return [];
  const given = access.roles;
  if (!("gap" in given)) return given;
  const accepted = getAllowedAnswers(strictness, given.gap).flatMap(
    (answer) => given.byAnswer[String(answer)] ?? [],
  );
  return roles.filter((role) => accepted.includes(role));
}

/** A gap decides whether API keys are accepted, and with which scope. */
interface ScopeByAnswer {
  readonly gap: GapId;
  readonly byAnswer: Readonly<Record<string, Scope>>;
}

/** The scope an API key needs in the strict or the open document; `undefined` where API keys are refused. */
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

/** Whether a credential that is sent without need has to be valid in the strict or the open document. */
export function refusesInvalidCredential(access: Access, strictness: Strictness): boolean {
  return (
    access.kind === "public" &&
    access.credentialGap !== undefined &&
    getAllowedAnswers(strictness, access.credentialGap).includes("refused")
  );
}

export type Method = "get" | "put" | "post" | "delete" | "patch";

/** One way to reach an operation. */
export interface Route {
  readonly method: Method;
  readonly path: string;
}

/** Routes that a gap leaves open. */
export interface GapRoutes {
  readonly gap: GapId;
  /** Every way there may be when some gaps are answered: one, with a route or two, where all that decide it are. */
  readonly alternatives: (known: Partial<Profile>) => readonly (readonly Route[])[];
}

/** Fixed by a clause, or open. */
export type Routes = Route | GapRoutes;

export type Schema = SchemaObject | ReferenceObject;

export interface Success {
  /** `"4XX"` and the like where the open document leaves the status open. */
  readonly status: number | "2XX" | "4XX" | "5XX";
  readonly description: string;
  /** Left out for an empty body. */
  readonly schema?: Schema;
  /** The body, where it is not the one of the operation's example. */
  readonly example?: object;
  /** Names of the examples in the document that show such an answer. */
  readonly examples?: readonly string[];
  /** Media type of a file that is sent in place of JSON to those who accept it. */
  readonly file?: string;
  /** What the file holds, where it is JSON; otherwise it is just bytes. */
  readonly fileSchema?: Schema;
  readonly gap?: GapId;
}

/** What the contract says about one operation, for the strict and the open document. */
export interface OperationDefinition {
  readonly tag: string;
  readonly summary: string;
  /**
   * What it does beyond its summary: what the specification says of it, and what the emulator does where it says nothing,
   * with the gap that a profile may answer otherwise.
   */
  readonly description?: string;
  readonly routes: Routes;
  readonly access: Access;
  /** Whether the operation changes anything; a suspended organization may only read. */
  readonly effect: "read" | "write";
  /** Query parameters; path parameters follow from the path. */
  readonly parameters?: (strictness: Strictness) => readonly ParameterObject[];
  readonly requestBody?: Schema;
  /** Media type of the file that the body is, in place of JSON. */
  readonly requestFile?: string;
  readonly successes: (strictness: Strictness) => readonly Success[];
  /**
   * `sql`: what the operation finds wrong with a request is answered with the SQL body of part 7, not with a
   * problem.
   */
  readonly errorBody?: "sql";
  /** Kinds of errors beyond those that every operation of its access and body has. */
  readonly problems: readonly ProblemKind[];
  /** The first one says what its answer looks like. */
  readonly clauses: readonly ClauseId[];
  /** Values for path and query parameters, request body and first success: shown in the document. */
  readonly example: {
    readonly parameters?: Readonly<Record<string, string | number>>;
    readonly request?: unknown;
    /** A function where the answer depends on the profile; see {@link getExampleResponse}. */
    readonly response?: unknown;
  };
}

/** The example of an operation's first success in the strict or the open document; nothing for an empty body. */
export function getExampleResponse(
  { example: { response } }: OperationDefinition,
  strictness: Strictness,
): unknown {
  return typeof response === "function"
    ? (response as (strictness: Strictness) => unknown)(strictness)
    : response;
}

/** An operation without the fields that its group gives it and that follow from its other fields. */
type OperationInput = Omit<
  OperationDefinition,
  "tag" | "access" | "effect" | "successes" | "problems" | "clauses"
> &
  Partial<Pick<OperationDefinition, "access" | "effect" | "problems" | "clauses">> & {
    /** Whatever the profile, or by a function. */
    readonly successes: readonly Success[] | OperationDefinition["successes"];
  };
type OperationDefaults = Pick<OperationDefinition, "tag"> & Partial<OperationDefinition>;

/**
 * Returns a function that defines the operations of a group and keeps their ids as literal types. A group without
 * clauses binds its operations to none.
 */
export function defineOperationGroup({ clauses, problems = [], ...group }: OperationDefaults) {
  const complete = ({ successes, ...own }: OperationInput): OperationDefinition => {
    const definition = {
      access: { kind: "public" } as const,
      effect: getRoutes(own)[0]?.method === "get" ? ("read" as const) : ("write" as const),
      ...group,
      ...own,
      successes: typeof successes === "function" ? successes : () => successes,
      problems: [...problems, ...(own.problems ?? [])],
      clauses: [],
    };
    if (clauses === undefined) return definition;
    return { ...definition, clauses: [...(own.clauses ?? []), ...clauses, ...inferClauses(definition)] };
  };
  return <const Ids extends string>(operations: Readonly<Record<Ids, OperationInput>>) =>
    Object.fromEntries(
      Object.entries<OperationInput>(operations).map(([id, given]) => [id, complete(given)]),
    ) as Readonly<Record<Ids, OperationDefinition>>;
}

/** A success whose body is a schema of the document, or empty. */
export function defineSuccess(
  status: number,
  description: string,
  schema?: string,
  more: Partial<Success> = {},
): Success {
  return { status, description, ...(schema === undefined ? {} : { schema: ref(schema) }), ...more };
}

/** Every route to an operation that is known, one where a clause fixes it. */
export function getRoutes({ routes }: Pick<OperationDefinition, "routes">): readonly Route[] {
  return "gap" in routes ? routes.alternatives({}).flat() : [routes];
}

/** Clauses that bind every operation with a body, and every one that the role readonly may not call. */
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
