import type { Handler } from "hono";
import type { NamespaceLookup } from "../namespaces/namespaces.js";
import { getContract } from "../request/get-contract.js";
import { respond } from "./respond.js";
import type { ServiceEnv } from "./service-env.js";

/** Serves the contract of the current profile, with the requested host as its server. */
export function serveOpenApiDocument(namespaces: NamespaceLookup): Handler<ServiceEnv> {
  return (c) => {
    const { baseUrl, namespace } = c.get("target");
    const { profile } = namespaces.getExisting(namespace) ?? namespaces;
    const servers = [{ url: baseUrl(), description: "This emulator." }];
    return respond(c, {
      status: 200,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...getContract(profile).document, servers }),
    });
  };
}
