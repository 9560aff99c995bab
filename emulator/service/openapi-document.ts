import type { Handler } from "hono";
import type { NamespaceLookup } from "../namespaces/namespaces.js";
import { contractOf } from "../request/contract-of.js";
import { respond } from "./respond.js";
import type { ServiceEnv } from "./service-env.js";

/** Answers with the contract of the profile in force, and the address at which it was asked for. */
export function openApiDocument(namespaces: NamespaceLookup): Handler<ServiceEnv> {
  return (c) => {
    const { baseUrl, namespace } = c.get("target");
    const { profile } = namespaces.known(namespace) ?? namespaces;
    const servers = [{ url: baseUrl(), description: "This emulator." }];
    return respond(c, {
      status: 200,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...contractOf(profile).document, servers }),
    });
  };
}
