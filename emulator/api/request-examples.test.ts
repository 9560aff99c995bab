import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, serviceOperations } from "../../openapi/operations/register.js";
import { createEmulator, type Emulator } from "./emulator.js";

const strictness = { kind: "strict", profile: defaultProfile } as const;

/** Operations whose examples contain a token, which must be issued first. */
const issued: readonly OperationId[] = ["refreshSession"];

let emulator: Emulator;
beforeAll(async () => {
  emulator = await createEmulator();
});
afterAll(() => emulator.close());
beforeEach(() => emulator.reset());

describe("the example of a request", () => {
  const tried = Object.entries<OperationDefinition>(serviceOperations).filter(
    ([id]) => !issued.includes(id as OperationId),
  );
  it.each(tried)("succeeds in the demo fixture: %s", async (_id, definition) => {
    const { routes, example, access, successes } = definition;
    const route = "gap" in routes ? routes.alternatives(defaultProfile).flat()[0] : routes;
    const path = (route?.path ?? "").replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(example.parameters[name] ?? ""),
    );
    const session = { userId: "user_demo_owner", organizationId: "org_demo_pro" };
    const token = access.kind === "public" ? undefined : emulator.sessions.create(session).accessToken;
    const response = await emulator.fetch(path, {
      method: route?.method.toUpperCase() ?? "",
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(example.request === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(example.request === undefined ? {} : { body: JSON.stringify(example.request) }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(successes(strictness)[0]?.status);
  });
});
