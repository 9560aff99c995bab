import { expect, it } from "vitest";
import { type OperationDefinition, getRoutes } from "../../openapi/operations/operation.js";
import { serviceApi } from "../../openapi/operations/register.js";
import { fillPath, getPathParameters } from "../../openapi/text/path-template.js";
import { findRoute } from "./find-route.js";

it.each(["http://localhost", "https://a.example/ns/x", "https://a.example/some/where"])(
  "finds every operation by every route at %s",
  (base) => {
    for (const [operationId, operation] of Object.entries<OperationDefinition>(serviceApi.operations))
      for (const { method, path: template } of getRoutes(operation)) {
        const path = Object.fromEntries(getPathParameters(template).map((name) => [name, `${name} /é`]));
        const url = `${base}${fillPath(template, path)}?limit=1`;
        expect(findRoute(method, url)).toEqual({ operationId, template, path, base });
      }
    expect(findRoute("GET", `${base}/nowhere`)).toBeUndefined();
  },
);
