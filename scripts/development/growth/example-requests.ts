import type { OpenAPIObject, OperationObject, ParameterObject, RequestBodyObject } from "openapi3-ts/oas31";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { listOperations } from "../../../openapi/document/list-operations.js";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { fillPath } from "../../../openapi/text/path-template.js";
import { createJsonInit } from "../../../emulator/testing/create-json-init.js";

/** A request that is valid with the demo data. */
export interface DemoRequest {
  readonly operationId: string;
  readonly plane: "service" | "control";
  /** In upper case. */
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly queryParameters: readonly ParameterObject[];
  /** Undefined if the operation has no JSON body. */
  readonly body: unknown;
  readonly operation: OperationObject;
  readonly document: OpenAPIObject;
}

/** Replaces the contract's example, because the demo data has another invitation. */
const invitation = { organizationId: "org_demo_pro", email: "invited@demo.test" };

/** Whether an operation deletes what other requests need, is always slow, or returns all earlier requests. */
export function isDisruptive(operationId: string): boolean {
  return /^(?:delete(?!Item|Entity)\w+|(?:reset|restore|set|change|clear|fork|upload)\w+|takeSnapshot|saveSnapshot|getJournal|getControlPlaneDocument)$/.test(
    operationId,
  );
}

/** Lists one request for each operation of the service and the control plane, from the examples in the contract. */
export function listExampleRequests(profile: Profile = defaultProfile): readonly DemoRequest[] {
  return [
    ...listExamples("service", buildDocument(profile)),
    ...listExamples("control", buildControlPlaneDocument()),
  ];
}

function listExamples(plane: DemoRequest["plane"], document: OpenAPIObject): readonly DemoRequest[] {
  return listOperations(document).map(({ method, path, operation }) => {
    const { operationId = "", requestBody } = operation;
    const parameters = (operation.parameters ?? []) as ParameterObject[];
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    const { content = {} } = (requestBody ?? {}) as Partial<RequestBodyObject>;
    const example: unknown = content["application/json"]?.example;
    return {
      operationId,
      plane,
      method: method.toUpperCase(),
      path,
      parameters: Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)])),
      queryParameters: parameters.filter((parameter) => parameter.in === "query"),
      body: operationId === "acceptInvitation" ? invitation : example,
      operation,
      document,
    };
  });
}

/** Fills in the path parameters of a request. */
export function getPath(
  { path, parameters }: DemoRequest,
  replaced: Readonly<Record<string, string>> = {},
): string {
  return fillPath(path, { ...parameters, ...replaced });
}

/** Fetches an access token of the demo data's owner for the organization `org_demo_pro`. */
export async function fetchDemoToken(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
): Promise<string> {
  const session = { email: "owner@demo.test", organizationId: "org_demo_pro" };
  const created = await fetch("/_emulator/sessions", createJsonInit("POST", session));
  return ((await created.json()) as { accessToken: string }).accessToken;
}
