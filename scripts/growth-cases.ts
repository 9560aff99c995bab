import { controlPlaneOperations } from "../openapi/control-plane/operations.js";
import { defaultProfile, type Profile } from "../openapi/profile.js";
import type { OperationDefinition, Route } from "../openapi/operations/operation.js";
import { serviceOperations } from "../openapi/service.js";

/** A request of a size. */
export interface GrowthCase {
  readonly name: string;
  readonly request: (size: number) => RequestInit & { readonly path: string };
}

/** What a value of a body may be replaced by, as JSON text. */
const values: Readonly<Record<string, (size: number) => string>> = {
  letters: (size) => JSON.stringify("a".repeat(size)),
  quotes: (size) => JSON.stringify('"'.repeat(size)),
  digits: (size) => "1".repeat(size),
  "zeros inside": (size) => `1.${"0".repeat(size)}1`,
  "empty objects": (size) => `[${Array<string>(size).fill("{}").join()}]`,
  numbers: (size) => `[${Array.from({ length: size }, (_, index) => index).join()}]`,
  members: (size) => `{${Array.from({ length: size }, (_, index) => `"m${index}":1`).join()}}`,
  "nested objects": (size) => `{${Array.from({ length: size }, (_, index) => `"m${index}":{}`).join()}}`,
  depth: (size) => "[".repeat(size) + "]".repeat(size),
  parentheses: (size) => JSON.stringify("(".repeat(size)),
  "NOT NOT": (size) => JSON.stringify("NOT ".repeat(size / 4)),
  "OR OR": (size) => JSON.stringify("a=:b OR ".repeat(size / 8)),
  colons: (size) => JSON.stringify(`between:${":".repeat(size)}`),
  "SQL of OR": (size) => JSON.stringify(`SELECT * FROM t WHERE a=1${" OR b>1".repeat(size / 7)}`),
  "SQL of columns": (size) =>
    JSON.stringify(`CREATE TABLE t (a INT PRIMARY KEY${",b INT".repeat(size / 6)})`),
  "SQL of comments": (size) => JSON.stringify(`SELECT ${"/**/".repeat(size / 4)}`),
};

/** Every size that a client can choose, for every operation. */
export function growthCases(token: string): readonly GrowthCase[] {
  return [
    ...Object.entries<OperationDefinition>(serviceOperations),
    ...Object.entries<OperationDefinition>(controlPlaneOperations).map(
      ([id, operation]) => [`control plane ${id}`, operation] as const,
    ),
  ].flatMap(([id, operation]) => casesOf(id, operation, token));
}

function casesOf(id: string, operation: OperationDefinition, token: string): GrowthCase[] {
  const { parameters = {}, request } = operation.example;
  const { method, path } = routeOf(operation, defaultProfile);
  const target = (replaced?: string, by = "") =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(name === replaced ? by : String(parameters[name] ?? name)),
    );
  const call = (address: string, body?: string, more: Readonly<Record<string, string>> = {}) => ({
    path: address,
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...more,
    },
    ...(body === undefined ? {} : { body }),
  });
  const usual = request === undefined ? undefined : JSON.stringify(request);
  const cases: GrowthCase[] = [
    {
      name: `${id}: query parameters`,
      request: (size) =>
        call(`${target()}?${Array.from({ length: size }, (_, at) => `p${at}=1`).join("&")}`, usual),
    },
    {
      name: `${id}: a long cursor`,
      request: (size) => call(`${target()}?cursor=${"a".repeat(size)}`, usual),
    },
    {
      name: `${id}: headers`,
      request: (size) =>
        call(
          target(),
          usual,
          Object.fromEntries(Array.from({ length: size / 4 }, (_, at) => [`x-h${at}`, "1"])),
        ),
    },
    {
      name: `${id}: a long credential`,
      request: (size) => call(target(), usual, { Authorization: `Bearer ${"a.".repeat(size / 2)}` }),
    },
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
      name: `${id}: path parameter ${name}`,
      request: (size: number) => call(target(name, "ä/".repeat(size / 2)), usual),
    })),
  ];
  if (request === undefined || operation.requestFile !== undefined) return cases;
  for (const [place, write] of placesIn(request))
    for (const [kind, value] of Object.entries(values))
      cases.push({
        name: `${id}: ${place || "the body"} as ${kind}`,
        request: (size) => call(target(), write(value(size))),
      });
  return cases;
}

function routeOf({ routes }: OperationDefinition, profile: Profile): Route {
  if ("path" in routes) return routes;
  const [route] = routes.ways(profile).flat();
  if (route === undefined) throw new Error("an operation has no route");
  return route;
}

/** Every place of a value, with what writes the value with another text there; of arrays the first entry. */
function placesIn(value: unknown): (readonly [string, (text: string) => string])[] {
  const places: (readonly [string, (text: string) => string])[] = [["", (text) => text]];
  if (Array.isArray(value)) {
    for (const [place, write] of placesIn(value[0] ?? null))
      places.push([`/0${place}`, (text) => `[${write(text)}]`]);
    const entry = JSON.stringify(value[0] ?? null);
    places.push(["/copies", (text) => `[${Array<string>(text.length).fill(entry).join()}]`]);
  } else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value))
      for (const [place, write] of placesIn(member))
        places.push([
          `/${name}${place}`,
          (text) => {
            const others = Object.entries(value).filter(([other]) => other !== name);
            const written = others.map(([other, kept]) => `${JSON.stringify(other)}:${JSON.stringify(kept)}`);
            return `{${[...written, `${JSON.stringify(name)}:${write(text)}`].join()}}`;
          },
        ]);
  return places;
}
